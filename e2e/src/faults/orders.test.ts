import { allCases } from './cases.js';
import { allFalsifications, falsifications } from './falsifying-cases.js';
import { providerCalls, sagaRequests, startedByOrders } from './saga-requests.js';

describe('the fault matrix of orders', () => {
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

  it('starts every saga of an order, and no case twice', () => {
    expect([...new Set(sagaRequests.map(({ saga }) => saga))].toSorted()).toEqual([
      'cancel',
      'create-escrow',
      'fund',
      'refund',
      'refund-milestone',
      'release',
      'release-milestone',
      'reserve',
      'resolve-dispute',
      'resolve-milestone-dispute',
    ]);
    const names = [...allCases, ...allFalsifications].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
