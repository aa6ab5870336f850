import { createSemaphore } from './semaphore.js';

/** Work that ends when the test calls `finish`. */
function heldWork() {
  let finish: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (finish = resolve));
  const work = jest.fn(() => held);
  return { work, finish };
}

describe('a semaphore', () => {
  it('runs up to `runningMax` at once, and the others in FIFO order', async () => {
    const semaphore = createSemaphore({ runningMax: 2, queueMax: 2, queueTimeoutMs: 60_000 });
    const held = [heldWork(), heldWork(), heldWork(), heldWork()];
    const runs = held.map(({ work }) => semaphore.run(work));
    const started = async (): Promise<number[]> => {
      await new Promise(setImmediate);
      return held.map(({ work }) => work.mock.calls.length);
    };
    expect(await started()).toEqual([1, 1, 0, 0]);
    held[1]?.finish();
    await runs[1];
    expect(await started()).toEqual([1, 1, 1, 0]);
    held.forEach(({ finish }) => finish());
    await Promise.all(runs);
    expect(await started()).toEqual([1, 1, 1, 1]);
  });

  it('refuses with SERVICE_UNAVAILABLE when the queue is full', async () => {
    const semaphore = createSemaphore({ runningMax: 1, queueMax: 1, queueTimeoutMs: 60_000 });
    const [running, queued, refused] = [heldWork(), heldWork(), heldWork()];
    const runs = [semaphore.run(running.work), semaphore.run(queued.work)];
    await expect(semaphore.run(refused.work)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(refused.work).not.toHaveBeenCalled();
    running.finish();
    queued.finish();
    await Promise.all(runs);
  });

  it('refuses with SERVICE_UNAVAILABLE when no place became free in time, which frees the one in the queue', async () => {
    const semaphore = createSemaphore({ runningMax: 1, queueMax: 1, queueTimeoutMs: 20 });
    const [running, late, next] = [heldWork(), heldWork(), heldWork()];
    const run = semaphore.run(running.work);
    await expect(semaphore.run(late.work)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const waiting = semaphore.run(next.work);
    running.finish();
    next.finish();
    await Promise.all([run, waiting]);
    expect(late.work).not.toHaveBeenCalled();
  });

  it('frees the place when the work fails', async () => {
    const semaphore = createSemaphore({ runningMax: 1, queueMax: 0, queueTimeoutMs: 60_000 });
    await expect(semaphore.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await semaphore.run(() => Promise.resolve('served'))).toBe('served');
  });
});
