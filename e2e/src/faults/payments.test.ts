import { allSagas, awaitedBy } from '@holdfast/contracts/sagas';
import {
  allPaymentFaults,
  allPaymentKills,
  allPaymentLosses,
  declaredPaymentOperations,
  lossesWithoutCause,
  startedByPayments,
} from './payment-cases.js';
import { startedByOrders } from './saga-requests.js';

describe('the fault matrix of payments', () => {
  it('has, together with the matrix of orders, every saga that a request starts', () => {
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
