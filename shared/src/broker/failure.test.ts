import { PoisonMessage } from './broker.js';
import { judgeFailure } from './failure.js';

const ladderMs = [10, 20];

describe('a failed message', () => {
  it('waits on one rung of the ladder after the other', () => {
    expect(judgeFailure(new Error('no'), 0, ladderMs)).toEqual({ kind: 'retry', attempts: 1, delayMs: 10 });
    expect(judgeFailure(new Error('no'), 1, ladderMs)).toEqual({ kind: 'retry', attempts: 2, delayMs: 20 });
  });

  it('is parked after the last rung, with the last reason', () => {
    const reason = 'failed 3 times, at last: TypeError: no';
    expect(judgeFailure(new TypeError('no'), 2, ladderMs)).toEqual({ kind: 'park', attempts: 3, reason });
  });

  it('is parked at once when it is poison', () => {
    const reason = 'poison: unknown currency';
    expect(judgeFailure(new PoisonMessage('unknown currency'), 0, ladderMs)).toEqual({ kind: 'park', attempts: 1, reason });
  });

  it('keeps its reason short, whatever was thrown', () => {
    const verdict = judgeFailure('x'.repeat(10_000), 9, ladderMs);
    expect(verdict).toMatchObject({ kind: 'park', attempts: 10 });
    expect(verdict.kind === 'park' && verdict.reason.length).toBe(500);
  });
});
