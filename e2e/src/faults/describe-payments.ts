import { named } from './named.js';
import { allPaymentFaults, allPaymentLosses } from './payment-cases.js';
import { aPayment, expectPaymentEnd, expectPaymentsAgree, flows } from './payment-life.js';
import { platformOfSuite, type Driver } from './platform.js';
import { playPaymentFault, playPaymentLoss } from './play-payments.js';

jest.setTimeout(240_000);

/** `npm run faults -- payments`; a chosen part is in chosen.test.ts. */
export function describePayments(driver: Driver): void {
  describe(`payments on the ${driver} driver`, () => {
    const platform = platformOfSuite(driver);

    it.each(flows)('%s: ends as it should without any fault', async (flow) => {
      await expectPaymentEnd(platform(), await aPayment(platform(), flow));
    });

    it.each(named(allPaymentFaults))('%s', async (_, faultCase) => {
      await playPaymentFault(platform(), faultCase);
    });

    it.each(named(allPaymentLosses))('%s is lost: the run ends by itself', async (_, loss) => {
      await playPaymentLoss(platform(), loss);
    });

    it('leaves journal, payment provider and ledger network in agreement to the last unit, and no run open', async () => {
      await expectPaymentsAgree(platform());
    });
  });
}
