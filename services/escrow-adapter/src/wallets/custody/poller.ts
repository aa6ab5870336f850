import type { Lifecycle } from '@holdfast/process/lifecycle';
import type { Deposit } from './legs.js';
import type { Poll } from './watcher.js';

/** Runs one poll of the network's history at a time. */
export type Poller = {
  /** Waits for a poll that starts after this call; concurrent callers share it. */
  readonly pollNow: () => Promise<readonly Deposit[]>;
  readonly stop: () => Promise<void>;
};

export function createPoller(poll: Poll, { signal }: Pick<Lifecycle, 'signal'>): Poller {
  let running: Promise<readonly Deposit[]> | undefined;
  let next: Promise<readonly Deposit[]> | undefined;
  const start = (): Promise<readonly Deposit[]> => {
    next = undefined;
    running = poll(signal).finally(() => {
      running = undefined;
    });
    return running;
  };
  const pollNow = (): Promise<readonly Deposit[]> => {
    if (running === undefined) return start();
    next ??= running.then(start, start);
    return next;
  };
  return {
    pollNow,
    stop: async () => {
      await running?.catch(() => undefined);
    },
  };
}
