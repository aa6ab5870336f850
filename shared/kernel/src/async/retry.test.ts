import fc from 'fast-check';
import { backoffMs, retry } from './index.js';

/** Fails the given number of times, then resolves with the number of the call. */
function failing(times: number) {
  let calls = 0;
  return {
    calls: () => calls,
    work: (): Promise<number> => {
      calls += 1;
      return calls > times ? Promise.resolve(calls) : Promise.reject(new Error(`failure ${calls}`));
    },
  };
}

const quick = { firstDelayMs: 1, attemptsMax: 4 };

describe('retry', () => {
  it('resolves with the first success', async () => {
    expect(await retry(failing(0).work, quick)).toBe(1);
    expect(await retry(failing(3).work, quick)).toBe(4);
  });

  it('rejects with the last error once the attempts are used up', async () => {
    const { work, calls } = failing(9);
    await expect(retry(work, quick)).rejects.toThrow('failure 4');
    expect(calls()).toBe(4);
  });

  it('rejects at once with an error that must not be retried', async () => {
    const { work, calls } = failing(9);
    const shouldRetry = (error: unknown): boolean => !String(error).includes('failure 2');
    await expect(retry(work, { ...quick, shouldRetry })).rejects.toThrow('failure 2');
    expect(calls()).toBe(2);
  });

  it('reports each failure that is followed by another attempt', async () => {
    const onRetry = jest.fn();
    await expect(retry(failing(9).work, { ...quick, attemptsMax: 3, onRetry })).rejects.toThrow('failure 3');
    expect(onRetry.mock.calls).toEqual([
      [new Error('failure 1'), 1],
      [new Error('failure 2'), 2],
    ]);
  });

  it('rejects with the reason of the signal, also during a delay', async () => {
    const { work, calls } = failing(9);
    const stopping = new AbortController();
    const options = { firstDelayMs: 60_000, attemptsMax: 9, signal: stopping.signal };
    const retried = retry(work, { ...options, onRetry: () => queueMicrotask(() => stopping.abort(new Error('stopping'))) });
    await expect(retried).rejects.toThrow('stopping');
    expect(calls()).toBe(1);
  });

  it('does not call the work if the signal is already aborted', async () => {
    const { work, calls } = failing(0);
    await expect(retry(work, { ...quick, signal: AbortSignal.abort(new Error('stopping')) })).rejects.toThrow('stopping');
    expect(calls()).toBe(0);
  });
});

describe('backoffMs', () => {
  it('doubles up to its limit, at most half of it random', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 2, max: 10_000 }), (attempt, delayMsMax) => {
        const full = Math.min(delayMsMax, 10 * 2 ** (attempt - 1));
        const delayMs = backoffMs(attempt, { firstDelayMs: 10, delayMsMax });
        expect(delayMs).toBeGreaterThanOrEqual(full / 2);
        expect(delayMs).toBeLessThanOrEqual(full + 1);
      }),
    );
  });

  it('has jitter', () => {
    const delays = new Set(Array.from({ length: 50 }, () => backoffMs(1, { firstDelayMs: 10_000 })));
    expect(delays.size).toBeGreaterThan(1);
  });
});
