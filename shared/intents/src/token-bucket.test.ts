import { createTokenBucket } from './token-bucket.js';

describe('a token bucket', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());
  const clock = { epochMs: () => performance.now() };

  /** `through` has the names of the callers in the order in which they got a token. */
  function takers(callsMax: number) {
    const bucket = createTokenBucket({ callsMax, windowMs: 1_000, clock });
    const through: string[] = [];
    const take = (name: string, priority: number, signal?: AbortSignal): void => {
      bucket.take(priority, signal).then(
        () => through.push(name),
        () => through.push(`${name} left`),
      );
    };
    return { bucket, through, take };
  }

  it('serves as many calls as it has tokens, and the others as it refills', async () => {
    const { through, take } = takers(2);
    for (const name of ['a', 'b', 'c', 'd']) take(name, 1);
    await jest.advanceTimersByTimeAsync(0);
    expect(through).toEqual(['a', 'b']);
    await jest.advanceTimersByTimeAsync(501);
    expect(through).toEqual(['a', 'b', 'c']);
    await jest.advanceTimersByTimeAsync(501);
    expect(through).toEqual(['a', 'b', 'c', 'd']);
  });

  it('serves calls by priority and drops aborted ones', async () => {
    const { through, take } = takers(1);
    const leaving = new AbortController();
    take('first', 2);
    take('deploys', 2);
    take('leaves', 0, leaving.signal);
    take('pays out', 0);
    leaving.abort(new Error('gone'));
    await jest.advanceTimersByTimeAsync(3_000);
    expect(through).toEqual(['first', 'leaves left', 'pays out', 'deploys']);
  });

  it('serves every call without a limit', async () => {
    const bucket = createTokenBucket({ windowMs: 1_000, clock });
    await Promise.all(Array.from({ length: 100 }, () => bucket.take(0)));
    expect(bucket.left()).toBeUndefined();
  });
});
