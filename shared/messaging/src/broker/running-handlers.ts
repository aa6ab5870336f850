import { endsWithin } from './time-limit.js';

export type RunningHandlers = {
  /** Keeps the work until it has ended. It must not reject. */
  readonly add: (work: Promise<void>) => void;
  readonly count: () => number;
  /** Whether everything that runs now has ended within the limit. */
  readonly endWithin: (limitMs: number) => Promise<boolean>;
};

export function trackHandlers(): RunningHandlers {
  const running = new Set<Promise<void>>();
  return {
    add: (work) => {
      const tracked: Promise<void> = work.finally(() => running.delete(tracked));
      running.add(tracked);
    },
    count: () => running.size,
    endWithin: (limitMs) => endsWithin(Promise.allSettled(running), limitMs),
  };
}
