/** Limits the number of concurrent handlers of a consumer. The prefetch limit of AMQP counts a batch as one message. */
export type Slots = {
  /** Runs `work` once a slot is free; undefined if the slots were closed before. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T | undefined>;
  /** Work that has not started is not run any more. */
  readonly close: () => void;
};

export function createSlots(max: number): Slots {
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
