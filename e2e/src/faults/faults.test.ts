import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { aPerson, type Person } from './account-life.js';
import { expectReconciled, expectPaidOnce } from './agreement.js';
import { allCases, chosenCases, type FaultCase } from './cases.js';
import { allFalsifications, chosenFalsifications } from './falsifying-cases.js';
import { allInitFaults, chosenInitFaults } from './init-cases.js';
import { playInitFault, playManyProjects, playReleasedHold, playSuspension } from './init-escrow.js';
import { anOrder, bringTo, call, driveToEnd, statusOf, type Order } from './order-life.js';
import { drivers, platformOfSuite, type Platform } from './platform.js';
import { playFalsified } from './refused-signing.js';

const cases = isFullMatrix ? allCases : chosenCases;
const falsifications = isFullMatrix ? allFalsifications : chosenFalsifications;

jest.setTimeout(180_000);

const legal = new Set([
  'FUNDS_RESERVED',
  'ESCROW_CREATING',
  'ESCROW_FUNDING',
  'IN_PROGRESS',
  'RELEASE_REQUESTED',
  'REFUND_REQUESTED',
  'DISPUTED',
  'CLOSED',
]);

/** Error codes that a caller may get while an external system fails. */
const honest = new Set(['200 ', '201 ', '400 ESCROW_FUNDING_FAILED', '500 INTERNAL_ERROR', '504 PROVIDER_TIMEOUT']);

describe.each(isFullMatrix ? drivers : (['in-process'] as const))('what goes wrong outside, on the %s driver', (driver) => {
  const platform = platformOfSuite(driver);
  const orders: Order[] = [];

  it.each(cases.map((faultCase) => [faultCase.name, faultCase] as const))('%s', async (_, faultCase) => {
    orders.push(await play(platform(), faultCase));
  });

  it.each(falsifications.map((faultCase) => [faultCase.name, faultCase] as const))(
    'nothing is signed: %s',
    async (_, faultCase) => {
      orders.push(await playFalsified(platform(), faultCase));
    },
  );

  describe('during POST /escrow/init', () => {
    let buyer: Person;

    beforeAll(async () => {
      buyer = await aPerson(platform());
    });

    it.each((isFullMatrix ? allInitFaults : chosenInitFaults).map((faultCase) => [faultCase.name, faultCase] as const))(
      '%s',
      async (_, faultCase) => {
        orders.push(...(await playInitFault(platform(), buyer, faultCase)));
      },
    );

    it('the hold of its order is released', async () => {
      orders.push(...(await playReleasedHold(platform(), buyer)));
    });

    it.each(isFullMatrix ? (['buyer', 'seller'] as const) : (['seller'] as const))('the %s is suspended', async (party) => {
      orders.push(...(await playSuspension(platform(), party)));
    });

    it('the balance covers half of the projects that are paid for at once', async () => {
      orders.push(...(await playManyProjects(platform())));
    });
  });

  it('leaves books and ledger network in agreement to the last unit', async () => {
    await expectReconciled(platform(), orders);
  });
});

/** The order is always in a legal state, ends successfully once the fault is gone, and every payout happens exactly once. */
async function play({ api, sandbox }: Platform, { during, ending, fault, milestones }: FaultCase): Promise<Order> {
  const order = await anOrder(api, milestones);
  await bringTo(api, order, during);
  await sandbox.arm(fault);
  const reply = await call(api, order, during);
  expect(honest).toContain(`${reply.status.toString()} ${reply.code ?? ''}`);
  expect(legal).toContain(await statusOf(api, order));
  await sandbox.clear();
  await driveToEnd(api, order, ending);
  await expectPaidOnce(api, order, ending);
  return order;
}
