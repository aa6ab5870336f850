import { manualClock } from '@holdfast/testing/clock';
import { giveUpAfterMsOf, intentDeadlines } from './intent-deadlines.js';

describe('the deadlines of an intent', () => {
  const aged = (ageMs: number) => {
    const clock = manualClock();
    const intent = { createdAt: clock.now() };
    clock.advance(ageMs);
    const { isGivenUp, isOverdue, retryLater } = intentDeadlines(clock, { giveUpAfterMs: 55_000, waitMsMax: 600_000 });
    return { isGivenUp: isGivenUp(intent), isOverdue: isOverdue(intent), ...retryLater(intent) };
  };

  it.each([
    [0, { isGivenUp: false, isOverdue: false, retryInMs: 250 }],
    [10_000, { isGivenUp: false, isOverdue: false, retryInMs: 1_000 }],
    [54_999, { isGivenUp: false, isOverdue: false, retryInMs: 2_000 }],
    [55_000, { isGivenUp: true, isOverdue: false, retryInMs: 5_500 }],
    [600_000, { isGivenUp: true, isOverdue: true, retryInMs: 10_000 }],
  ])('after %i ms', (ageMs, expected) => {
    expect(aged(ageMs)).toEqual({ ...expected, isUncounted: true });
  });
});

describe('passing errors are given up', () => {
  it.each([
    [60_000, 55_000],
    [15_000, 10_000],
    [4_000, 2_000],
  ])('of a request that waits for %i ms after %i ms', (settlementTimeoutMs, giveUpAfterMs) => {
    expect(giveUpAfterMsOf(settlementTimeoutMs)).toBe(giveUpAfterMs);
  });
});
