import { eventually } from '@holdfast/testing/eventually';
import { createRequestSlots } from './request-slots.js';

/** Work that ends when the test calls `finish`. */
function heldWork() {
  let finish: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (finish = resolve));
  const work = jest.fn(() => held);
  return { work, finish };
}

describe('request slots', () => {
  it('run up to `runningMax` at once, and the others in FIFO order', async () => {
    const slots = createRequestSlots({ runningMax: 2, queueMax: 2, queueTimeoutMs: 60_000 });
    const held = [heldWork(), heldWork(), heldWork(), heldWork()];
    const runs = held.map(({ work }) => slots.run(work));
    const started = (): number[] => held.map(({ work }) => work.mock.calls.length);
    await eventually(() => expect(started()).toEqual([1, 1, 0, 0]));
    held[1]?.finish();
    await runs[1];
    await eventually(() => expect(started()).toEqual([1, 1, 1, 0]));
    held.forEach(({ finish }) => finish());
    await Promise.all(runs);
    expect(started()).toEqual([1, 1, 1, 1]);
  });

  it('503 SERVICE_UNAVAILABLE when the queue is full', async () => {
    const slots = createRequestSlots({ runningMax: 1, queueMax: 1, queueTimeoutMs: 60_000 });
    const [running, queued, refused] = [heldWork(), heldWork(), heldWork()];
    const runs = [slots.run(running.work), slots.run(queued.work)];
    await expect(slots.run(refused.work)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(refused.work).not.toHaveBeenCalled();
    running.finish();
    queued.finish();
    await Promise.all(runs);
  });

  it('503 SERVICE_UNAVAILABLE when no slot became free in time, which frees the place in the queue', async () => {
    const slots = createRequestSlots({ runningMax: 1, queueMax: 1, queueTimeoutMs: 20 });
    const [running, late, next] = [heldWork(), heldWork(), heldWork()];
    const run = slots.run(running.work);
    await expect(slots.run(late.work)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const waiting = slots.run(next.work);
    running.finish();
    next.finish();
    await Promise.all([run, waiting]);
    expect(late.work).not.toHaveBeenCalled();
  });

  it('free the slot when the work fails', async () => {
    const slots = createRequestSlots({ runningMax: 1, queueMax: 0, queueTimeoutMs: 60_000 });
    await expect(slots.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await slots.run(() => Promise.resolve('served'))).toBe('served');
  });
});
