import { lifeIsOver, lifeIsShort } from './entry-life.js';

describe('the life of an entry', () => {
  it.each([
    { left: -1, isShort: true, isOver: true },
    { left: 0, isShort: true, isOver: true },
    { left: 1, isShort: true, isOver: false },
    { left: 518_399, isShort: true, isOver: false },
    { left: 518_400, isShort: false, isOver: false },
  ])('with $left ledgers left is short: $isShort, over: $isOver', ({ left, isShort, isOver }) => {
    expect([lifeIsShort(1_000 + left, 1_000), lifeIsOver(1_000 + left, 1_000)]).toEqual([isShort, isOver]);
  });

  it('without a last ledger never ends', () => {
    expect([lifeIsShort(undefined, 1_000), lifeIsOver(undefined, 1_000)]).toEqual([false, false]);
  });
});
