import { allSagas, awaitedBy } from '@holdfast/contracts/sagas';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { named } from './named.js';
import {
  allPaymentFaults,
  allPaymentKills,
  allPaymentLosses,
  declaredPaymentOperations,
  lossesWithoutCause,
  startedByPayments,
} from './payment-cases.js';
import { aPayment, expectPaymentEnd, expectPaymentsAgree, flows } from './payment-life.js';
import { drivers, platformOfSuite } from './platform.js';
import { playPaymentFault, playPaymentLoss } from './play-payments.js';
import { startedByOrders } from './saga-requests.js';

jest.setTimeout(240_000);

describe('the fault matrix of payments', () => {
  it('has, with that of orders, every saga that a request starts', () => {
    const covered = [...startedByOrders, ...startedByPayments].map(({ name }) => name);
    // A deposit is started by a payment on the ledger network: the adapter tests its faults, and lost-messages.test.ts loses its message.
    expect(allSagas.map(({ name }) => name).filter((name) => !covered.includes(name))).toEqual(['deposit']);
  });

  it('has every provider operation and every message of the sagas of payments', () => {
    const operations = new Set(allPaymentFaults.map(({ fault }) => fault.operation));
    expect(declaredPaymentOperations.filter((operation) => !operations.has(operation))).toEqual([]);
    const awaited = startedByPayments.flatMap(({ name, steps }) =>
      Object.values(steps).flatMap((step) => awaitedBy(step).map(({ type }) => `${type} in ${name}`)),
    );
    const wanted = awaited.filter((name) => !lossesWithoutCause.some((type) => name.startsWith(`${type} `)));
    expect(new Set(allPaymentLosses.map(({ name }) => name))).toEqual(new Set(wanted));
    const killed = new Set(allPaymentKills.map(({ saga }) => saga));
    expect(startedByPayments.filter(({ name }) => !killed.has(name))).toEqual([]);
  });
});

/** `npm run faults -- payments`; a chosen part is in chosen.test.ts. */
for (const driver of isFullMatrix ? drivers : []) {
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
