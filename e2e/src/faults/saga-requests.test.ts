import { allSagas, awaitedBy, initEscrow } from '@holdfast/contracts/sagas';
import { allCases } from './cases.js';
import { allFalsifications, falsifications } from './falsifying-cases.js';
import { allInitFaults, allInitLosses, withoutCauseInInit } from './init-cases.js';
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

  it('has every falsification at every provider operation of every saga table, on both types of contracts', () => {
    const wanted = providerCalls.flatMap(({ saga, operation }) =>
      Object.entries(falsifications).flatMap(([kind, operations]) =>
        operations.includes(operation) ? [`${saga} ${operation} ${kind} 0`, `${saga} ${operation} ${kind} 2`] : [],
      ),
    );
    const covered = allFalsifications.map(
      ({ saga, fault, milestones }) => `${saga} ${fault.operation} ${fault.kind} ${milestones.length.toString()}`,
    );
    expect(covered.toSorted()).toEqual(wanted.toSorted());
    const operations = new Set(startedByOrders.flatMap(({ steps }) => Object.values(steps).flatMap(({ calls = [] }) => calls)));
    expect(new Set(Object.values(falsifications).flat())).toEqual(operations);
  });

  it('loses every message that a step of an order saga awaits', () => {
    const awaited = allSagas
      .filter(({ steps }) => steps['start']?.by === 'orders')
      .flatMap(({ name, steps }) => Object.values(steps).flatMap((step) => awaitedBy(step).map(({ type }) => ({ name, type }))));
    const wanted = awaited.filter(({ type }) => !withoutCause.includes(type)).map(({ name, type }) => `${name} ${type}`);
    expect(new Set(allLosses.map(({ saga, message }) => `${saga} ${message.type}`))).toEqual(new Set(wanted));
  });

  it('has every provider operation and every message of init, which is a sequence of sagas', () => {
    const sagas = allSagas.filter(({ name }) => initEscrow.sagas.some((each) => each === name));
    const operations = sagas.flatMap(({ steps }) => Object.values(steps).flatMap(({ calls = [] }) => calls));
    expect(new Set(allInitFaults.map(({ fault }) => fault.operation))).toEqual(new Set([...operations, 'read', 'submit']));
    const ofCompensation = allSagas.filter(({ name }) => name === initEscrow.compensatedBy);
    const awaited = [...sagas, ...ofCompensation].flatMap(({ steps }) => Object.values(steps).flatMap(awaitedBy));
    const wanted = awaited.map(({ type }) => type).filter((type) => ![...withoutCause, ...withoutCauseInInit].includes(type));
    expect(new Set(allInitLosses.map(({ message }) => message.type))).toEqual(new Set(wanted));
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
    const names = [...allCases, ...allFalsifications].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
