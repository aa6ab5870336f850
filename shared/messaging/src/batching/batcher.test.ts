import { createBatcher, type BatcherOptions } from './index.js';

function aBatcher(overrides: Partial<BatcherOptions<number, number>> = {}) {
  const batches: number[][] = [];
  const batcher = createBatcher<number, number>({
    run: (items) => {
      batches.push([...items]);
      return Promise.resolve(items.map((value) => ({ status: 'fulfilled', value: value * 10 })));
    },
    sizeMax: 3,
    batchDelayMs: 1,
    inFlightMax: 1,
    waitingMax: 100,
    overflow: () => new Error('too many'),
    ...overrides,
  });
  return { batcher, batches };
}

describe('a batcher', () => {
  it('handles the calls of one turn in one batch and resolves each with its own result', async () => {
    const { batcher, batches } = aBatcher();
    expect(await Promise.all([1, 2, 3].map(batcher.submit))).toEqual([10, 20, 30]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('limits the size of a batch and keeps the order of arrival', async () => {
    const { batcher, batches } = aBatcher();
    await Promise.all([1, 2, 3, 4, 5, 6, 7].map(batcher.submit));
    expect(batches).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  });

  it('waits for the batch spacing unless the batch is full', async () => {
    jest.useFakeTimers();
    try {
      const { batcher, batches } = aBatcher({ batchSpacingMs: 50 });
      const submitted = [batcher.submit(1)];
      await jest.advanceTimersByTimeAsync(1);
      submitted.push(batcher.submit(2));
      await jest.advanceTimersByTimeAsync(30);
      expect(batches).toEqual([[1]]);
      submitted.push(batcher.submit(3));
      await jest.advanceTimersByTimeAsync(30);
      expect(batches).toEqual([[1], [2, 3]]);
      submitted.push(...[4, 5, 6].map(batcher.submit));
      await jest.advanceTimersByTimeAsync(1);
      expect(batches).toEqual([[1], [2, 3], [4, 5, 6]]);
      await Promise.all(submitted);
    } finally {
      jest.useRealTimers();
    }
  });

  it('ignores the batch spacing while draining', async () => {
    const { batcher, batches } = aBatcher({ batchSpacingMs: 60_000 });
    await batcher.submit(1);
    const late = batcher.submit(2);
    await batcher.drain();
    expect(await late).toBe(20);
    expect(batches).toEqual([[1], [2]]);
  });

  it('collects calls while a batch is in flight', async () => {
    const gate = deferred();
    const { batcher, batches } = aBatcher({
      sizeMax: 10,
      run: async (items) => {
        batches.push([...items]);
        await gate.promise;
        return items.map((value) => ({ status: 'fulfilled', value }));
      },
    });
    const first = batcher.submit(1);
    await new Promise(setImmediate);
    const others = [2, 3, 4].map(batcher.submit);
    gate.resolve(undefined);
    await Promise.all([first, ...others]);
    expect(batches).toEqual([[1], [2, 3, 4]]);
  });

  it('sends a second batch while the first is in flight, up to inFlightMax', async () => {
    const gate = deferred();
    const { batcher, batches } = aBatcher({
      inFlightMax: 2,
      run: async (items) => {
        batches.push([...items]);
        if (batches.length === 2) gate.resolve(undefined);
        await gate.promise;
        return items.map((value) => ({ status: 'fulfilled', value }));
      },
    });
    const first = batcher.submit(1);
    await new Promise(setImmediate);
    await Promise.all([first, batcher.submit(2)]);
    expect(batches).toEqual([[1], [2]]);
  });

  it('rejects only the failed item, and every item when the batch throws', async () => {
    const { batcher } = aBatcher({
      run: (items) =>
        Promise.resolve(
          items.map((value) => (value === 2 ? { status: 'rejected', reason: new Error('two') } : { status: 'fulfilled', value })),
        ),
    });
    const settled = await Promise.allSettled([1, 2, 3].map(batcher.submit));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);

    const broken = aBatcher({ run: () => Promise.reject(new Error('batch failed')) }).batcher;
    await expect(Promise.all([1, 2].map(broken.submit))).rejects.toThrow('batch failed');
  });

  it('rejects calls beyond waitingMax', async () => {
    const { batcher } = aBatcher({ waitingMax: 2 });
    const accepted = [batcher.submit(1), batcher.submit(2)];
    await expect(batcher.submit(3)).rejects.toThrow('too many');
    expect(await Promise.all(accepted)).toEqual([10, 20]);
  });

  it('is drained once every call is settled', async () => {
    const { batcher, batches } = aBatcher();
    const results = Promise.all([1, 2, 3, 4].map(batcher.submit));
    await batcher.drain();
    expect(batches.flat()).toEqual([1, 2, 3, 4]);
    await results;
    await batcher.drain();
  });
});

function deferred(): { promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve: (value: unknown) => void = () => undefined;
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
