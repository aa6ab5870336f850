import { allSagas, awaitedBy } from '@holdfast/contracts/sagas';
import { allCases } from './cases.js';
import { allLosses, withoutCause } from './loss-cases.js';
import {
  allPaymentFaults,
  allPaymentKills,
  allPaymentLosses,
  declaredPaymentOperations,
  lossesWithoutCause,
  startedByPayments,
} from './payment-cases.js';
import { providerCalls, sagaRequests, startedByOrders } from './saga-requests.js';

describe('the fault matrix', () => {
  it('has every provider operation of every saga table', () => {
    const declared = startedByOrders.flatMap(({ name, steps }) =>
      Object.values(steps).flatMap(({ calls = [] }) => calls.map((operation) => `${name} ${operation}`)),
    );
    const covered = new Set(allCases.map(({ saga, fault }) => `${saga} ${fault.operation}`));
    expect(declared.filter((operation) => !covered.has(operation))).toEqual([]);
    expect(providerCalls.map(({ saga, operation }) => `${saga} ${operation}`)).toEqual(declared);
  });

  it('loses every message that a step of an order saga awaits', () => {
    const awaited = allSagas
      .filter(({ steps }) => steps['start']?.by === 'orders')
      .flatMap(({ name, steps }) => Object.values(steps).flatMap((step) => awaitedBy(step).map(({ type }) => ({ name, type }))));
    const wanted = awaited.filter(({ type }) => !withoutCause.includes(type)).map(({ name, type }) => `${name} ${type}`);
    expect(new Set(allLosses.map(({ saga, message }) => `${saga} ${message.type}`))).toEqual(new Set(wanted));
  });

  it('has every saga that a request starts', () => {
    const covered = [...startedByOrders, ...startedByPayments].map(({ name }) => name);
    // A deposit is started by a payment on the ledger network; the adapter tests its faults.
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

  it('starts every saga of an order, and no case twice', () => {
    expect([...new Set(sagaRequests.map(({ saga }) => saga))].toSorted()).toEqual([
      'cancel',
      'create-escrow',
      'fund',
      'refund',
      'release',
      'reserve',
      'resolve-dispute',
    ]);
    const names = allCases.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
