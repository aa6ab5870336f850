/** Limits how many pieces of work run at a time. */
export type Semaphore = {
  /** Runs `work` once a place is free; undefined if it was closed before. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T | undefined>;
  /** Work that has not started is not run any more. */
  readonly close: () => void;
};

export function createSemaphore(max: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = max;
  let isClosed = false;
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    run: async (work) => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return isClosed ? undefined : await work();
      } finally {
        leave();
      }
    },
    close: () => {
      isClosed = true;
    },
  };
}
