import { countEvents } from './counted-events.js';

const [order, other] = [
  { aggregateType: 'Order', aggregateId: 'ord_1' },
  { aggregateType: 'Escrow', aggregateId: 'ord_1' },
];

describe('countEvents', () => {
  it('numbers the events of each aggregate, after those in the log', () => {
    const { versions, counts } = countEvents([order, other, order], new Map([['Order ord_1', 4]]));
    expect(versions).toEqual([5, 1, 6]);
    expect([...counts]).toEqual([
      ['Order ord_1', { before: 4, after: 6 }],
      ['Escrow ord_1', { before: 0, after: 1 }],
    ]);
  });
});
