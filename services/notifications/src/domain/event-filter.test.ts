import { eventFilter, passes } from './event-filter.js';

describe('eventFilter', () => {
  const event = { eventType: 'order.closed', aggregateType: 'Order' };

  it('passes every event when it is empty', () => {
    expect(passes(eventFilter({}), event)).toBe(true);
  });

  it.each([
    [{ types: ['order.closed'] }, true],
    [{ types: ['order.created', 'order.closed'] }, true],
    [{ types: ['order.created'] }, false],
    [{ resources: ['Order'] }, true],
    [{ types: ['order.closed'], resources: ['Balance'] }, false],
  ])('%j passes the event: %s', (input, isPassed) => {
    expect(passes(eventFilter(input), event)).toBe(isPassed);
  });

  it('has the same key for the same values in any order', () => {
    expect(eventFilter({ types: ['b', 'a', 'b'] }).key).toBe(eventFilter({ types: ['a', 'b'] }).key);
    expect(eventFilter({ types: ['a'] }).key).not.toBe(eventFilter({ resources: ['a'] }).key);
  });
});
