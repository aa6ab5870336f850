import { changesOf, isAffected } from './affected.js';

const changes = changesOf([
  { aggregateType: 'Order', aggregateId: 'ord_1', payload: { orderId: 'ord_1', buyerId: 'usr_1', amount: '1.00' } },
]);

describe('after an event of an order', () => {
  it.each([
    ['its record', ['orders.get', 'ord_1']],
    ['a list of orders, whatever its filter', ['orders.list', { buyerId: 'usr_9' }]],
    ['the balance of its buyer', ['balances.list', 'usr_1']],
    ['the summary', ['summary.get']],
  ])('%s is read again', (_what, key) => {
    expect(isAffected(key, changes)).toBe(true);
  });

  it.each([
    ['another order', ['orders.get', 'ord_2']],
    ['the balance of a user who has no part in it', ['balances.list', 'usr_2']],
    ['an API key', ['apiKeys.list']],
  ])('%s is not read again', (_what, key) => {
    expect(isAffected(key, changes)).toBe(false);
  });
});
