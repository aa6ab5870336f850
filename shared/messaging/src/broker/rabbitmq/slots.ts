/** How many handlers run at once, however their messages were packed. */
export type Slots = {
  /** Runs it once there is a free slot; undefined where they were closed before it began. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T | undefined>;
  /** What has not begun does not begin any more. */
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
