import { AppError } from '../errors/index.js';

export type SemaphoreLimits = {
  readonly runningMax: number;
  /** How many may wait for a place. Without it the caller limits them itself. */
  readonly queueMax?: number;
  /** How long one waits. Without it as long as the others run. */
  readonly queueTimeoutMs?: number;
};

/** Limits how many pieces of work run at a time. */
export type Semaphore = {
  /** Runs `work` once fewer than `runningMax` run. SERVICE_UNAVAILABLE if the queue is full or the wait times out. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
};

/** Those that wait form a FIFO queue, which may be bounded in length and time. */
export function createSemaphore({ runningMax, queueMax = Infinity, queueTimeoutMs }: SemaphoreLimits): Semaphore {
  let running = 0;
  const queue = new Set<() => void>();

  const enqueue = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = (): void => {
        queue.delete(start);
        reject(unavailable(`no place became free within ${queueTimeoutMs} ms`));
      };
      const timer = queueTimeoutMs === undefined ? undefined : setTimeout(giveUp, queueTimeoutMs);
      queue.add(start);
    });

  const acquire = async (): Promise<void> => {
    if (running < runningMax) running += 1;
    else if (queue.size < queueMax) await enqueue();
    else throw unavailable(`${queueMax} wait for a place already`);
  };

  /** The place passes to the first in the queue, if any. */
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
