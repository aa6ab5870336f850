import { handleAllDue } from './index.js';

function due(count: number) {
  const waiting = Array.from({ length: count }, (_, index) => index);
  const handled: number[] = [];
  const stopping = new AbortController();
  const run = (onItem: (item: number) => void = () => undefined) =>
    handleAllDue({
      take: (batchMax) => Promise.resolve(waiting.splice(0, batchMax)),
      handle: (item) => {
        handled.push(item);
        onItem(item);
        return Promise.resolve();
      },
      batchMax: 3,
      signal: stopping.signal,
    });
  return { run, handled, stopping, waiting };
}

describe('handleAllDue', () => {
  it.each([0, 1, 3, 7])('handles all of %d items, each once', async (count) => {
    const { run, handled, waiting } = due(count);
    await run();
    expect(handled).toEqual(Array.from({ length: count }, (_, index) => index));
    expect(waiting).toEqual([]);
  });

  it('takes no further batch once the signal is aborted', async () => {
    const { run, handled, stopping } = due(9);
    await run(() => stopping.abort());
    expect(handled).toEqual([0, 1, 2]);
  });
});
