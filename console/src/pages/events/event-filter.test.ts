import { fits } from './event-filter.js';

const event = { eventType: 'order.created', aggregateId: 'ord_1' };
const all = { type: undefined, aggregateId: undefined };

describe('the filter of events', () => {
  it('lets everything pass while it is empty', () => {
    expect(fits(event, all)).toBe(true);
  });

  it.each([
    ['order.created', true],
    ['order.*', true],
    ['order', false],
    ['ord.*', false],
    ['dispute.*', false],
    ['*', false],
  ])('by the type %s: %s', (type, isShown) => {
    expect(fits(event, { ...all, type })).toBe(isShown);
  });

  it('compares the whole id', () => {
    expect([fits(event, { ...all, aggregateId: 'ord_1' }), fits(event, { ...all, aggregateId: 'ord_' })]).toEqual([true, false]);
  });
});
