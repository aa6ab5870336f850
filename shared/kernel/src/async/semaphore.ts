import { AppError } from '@holdfast/kernel/errors';

export type SlotLimits = {
  readonly runningMax: number;
  readonly queueMax: number;
  readonly queueTimeoutMs: number;
};

export type RequestSlots = {
  /** Runs `work` once fewer than `runningMax` run. SERVICE_UNAVAILABLE if the queue is full or the wait times out. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
};

/** Limits the requests in flight. Further ones wait in a FIFO queue that is bounded in length and time. */
export function createRequestSlots({ runningMax, queueMax, queueTimeoutMs }: SlotLimits): RequestSlots {
  let running = 0;
  const queue = new Set<() => void>();

  const enqueue = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.delete(start);
        reject(unavailable(`no connection became free within ${queueTimeoutMs} ms`));
      }, queueTimeoutMs);
      queue.add(start);
    });

  const acquire = async (): Promise<void> => {
    if (running < runningMax) running += 1;
    else if (queue.size < queueMax) await enqueue();
    else throw unavailable(`${queueMax} requests wait for a connection already`);
  };

  /** The slot passes to the first request in the queue, if any. */
  const release = (): void => {
    const [next] = queue;
    if (next === undefined) {
      running -= 1;
      return;
    }
    queue.delete(next);
    next();
  };

  return {
    run: async (work) => {
      await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

function unavailable(reason: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {}, { cause: new Error(reason) });
}
