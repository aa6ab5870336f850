import { aPerson, type Person } from './account-life.js';
import { expectReconciled } from './agreement.js';
import { chosenCases } from './cases.js';
import { describeTime } from './describe-timers.js';
import { chosenFalsifications } from './falsifying-cases.js';
import { chosenInitFaults, chosenInitLosses } from './init-cases.js';
import { playInitFault, playInitLoss, playManyProjects, playFreedReservation, playSuspension } from './init-escrow.js';
import { chosenLosses } from './loss-cases.js';
import { named } from './named.js';
import type { Order } from './order-life.js';
import { chosenPaymentFaults, chosenPaymentLosses } from './payment-cases.js';
import { aPayment, expectPaymentEnd, expectPaymentsAgree, flows } from './payment-life.js';
import { platformOfSuite } from './platform.js';
import { playFault } from './play-faults.js';
import { openRuns, playLosses } from './play-losses.js';
import { playPaymentFault, playPaymentLoss } from './play-payments.js';
import { playUnrepeatedLoss } from './play-unrepeated.js';
import { playFalsified } from './refused-signing.js';
import { depositLoss } from './unrepeated-cases.js';

jest.setTimeout(240_000);

/** A chosen part of each matrix, on one platform; `npm run faults` plays them whole, each on every driver. */
describe('what goes wrong', () => {
  const platform = platformOfSuite('in-process');
  const orders: Order[] = [];

  it.each(named(chosenCases))('outside: %s', async (_, faultCase) => {
    orders.push(await playFault(platform(), faultCase));
  });

  it.each(named(chosenFalsifications))('nothing is signed: %s', async (_, faultCase) => {
    orders.push(await playFalsified(platform(), faultCase));
  });

  describe('during POST /escrow/init', () => {
    let buyer: Person;

    beforeAll(async () => {
      buyer = await aPerson(platform());
    });

    it.each(named(chosenInitFaults))('outside: %s', async (_, faultCase) => {
      orders.push(...(await playInitFault(platform(), buyer, faultCase)));
    });

    it('the hold of its order is released', async () => {
      orders.push(...(await playFreedReservation(platform(), buyer)));
    });

    it('the seller is suspended', async () => {
      orders.push(...(await playSuspension(platform(), 'seller')));
    });

    it('the balance covers half of the projects that are paid for at once', async () => {
      orders.push(...(await playManyProjects(platform())));
    });

    it.each(named(chosenInitLosses))('the broker loses %s: the run ends by itself', async (_, loss) => {
      orders.push(...(await playInitLoss(platform(), buyer, loss)));
    });
  });

  it('the broker loses the reply to reserve, cancel, fund, refund and the release of a milestone at the same time: every run ends by itself', async () => {
    orders.push(...(await playLosses(platform(), chosenLosses, false)));
  });

  it('the broker loses a deposit, which no run resends: it is credited once', async () => {
    await playUnrepeatedLoss(platform(), depositLoss);
  });

  describeTime({ platform, orders, timesEach: 5 });

  it('leaves books and ledger network in agreement to the last unit, and no run open', async () => {
    await expectReconciled(platform(), orders);
    expect(await openRuns(platform())).toEqual([]);
  });

  describe('in payments', () => {
    it.each(flows)('without any fault %s ends as it should', async (flow) => {
      await expectPaymentEnd(platform(), await aPayment(platform(), flow));
    });

    it.each(named(chosenPaymentFaults))('outside: %s', async (_, faultCase) => {
      await playPaymentFault(platform(), faultCase);
    });

    it.each(named(chosenPaymentLosses))('the broker loses %s: the run ends by itself', async (_, loss) => {
      await playPaymentLoss(platform(), loss);
    });

    it('leaves journal, payment provider and ledger network in agreement to the last unit, and no run open', async () => {
      await expectPaymentsAgree(platform());
    });
  });
});
