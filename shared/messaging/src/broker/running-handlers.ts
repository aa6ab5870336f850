import { settlesWithin } from '@holdfast/kernel/async';

export type RunningHandlers = {
  /** Tracks the promise until it resolves. It must not reject. */
  readonly add: (work: Promise<void>) => void;
  readonly count: () => number;
  /** Whether every handler that is running now ends within the time limit. */
  readonly endWithin: (timeoutMs: number) => Promise<boolean>;
};

export function trackHandlers(): RunningHandlers {
  const running = new Set<Promise<void>>();
  return {
    add: (work) => {
      const tracked: Promise<void> = work.finally(() => running.delete(tracked));
      running.add(tracked);
    },
    count: () => running.size,
    endWithin: (timeoutMs) => settlesWithin(Promise.allSettled(running), timeoutMs),
  };
}
