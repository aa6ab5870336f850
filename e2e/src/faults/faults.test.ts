import { processEnvironment } from '@holdfast/service-host/config';
import { expectReconciled, expectPaidOnce } from './agreement.js';
import { allCases, chosenCases, type FaultCase } from './cases.js';
import { anOrder, bringTo, call, driveToEnd, statusOf, type Order } from './order-life.js';
import { drivers, platformOfSuite, type Platform } from './platform.js';

/** `npm run faults` runs the whole matrix on both drivers; every other run takes some cases of each kind. */
const isFullMatrix = processEnvironment()['HOLDFAST_FAULTS'] === 'all';
const cases = isFullMatrix ? allCases : chosenCases;

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
