import type { Lifecycle } from '@holdfast/shared/lifecycle';
import type { Deposit } from './legs.js';
import type { Look } from './watcher.js';

/** Looks at the network's news, one look at a time. */
export type Watching = {
  /** A look that begins after this call, however many wait for it. */
  readonly lookNow: () => Promise<readonly Deposit[]>;
  /** The same for a job. */
  readonly look: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export function createWatching(look: Look, { signal }: Pick<Lifecycle, 'signal'>): Watching {
  let running: Promise<readonly Deposit[]> | undefined;
  let next: Promise<readonly Deposit[]> | undefined;
  const start = (): Promise<readonly Deposit[]> => {
    next = undefined;
    running = look(signal).finally(() => {
      running = undefined;
    });
    return running;
  };
  const lookNow = (): Promise<readonly Deposit[]> => {
    if (running === undefined) return start();
    next ??= running.then(start, start);
    return next;
  };
  return {
    lookNow,
    look: async () => {
      await lookNow();
    },
    stop: async () => {
      await running?.catch(() => undefined);
    },
  };
}
