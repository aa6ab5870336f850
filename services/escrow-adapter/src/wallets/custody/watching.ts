import type { Lifecycle } from '@holdfast/shared/lifecycle';
import type { Log } from '@holdfast/shared/context';
import type { Deposit } from './legs.js';
import type { Look } from './watcher.js';

/** Looks at the network's news, one look at a time. */
export type Watching = {
  /** A look that begins after this call, however many wait for it. */
  readonly lookNow: () => Promise<readonly Deposit[]>;
  /** The same for a job. */
  readonly look: () => Promise<void>;
  /** There may be news: looked at soon, together with whatever else happens until then. */
  readonly nudge: () => void;
  readonly stop: () => Promise<void>;
};

/** So many transactions share a look, its messages and their booking; nobody waits for what they tell. */
const lingerMs = 500;

export function createWatching(
  look: Look,
  { lifecycle, log }: { readonly lifecycle: Pick<Lifecycle, 'signal' | 'background'>; readonly log: Log },
): Watching {
  let running: Promise<readonly Deposit[]> | undefined;
  let next: Promise<readonly Deposit[]> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const start = (): Promise<readonly Deposit[]> => {
    next = undefined;
    running = look(lifecycle.signal).finally(() => {
      running = undefined;
    });
    return running;
  };
  const lookNow = (): Promise<readonly Deposit[]> => {
    if (running === undefined) return start();
    next ??= running.then(start, start);
    return next;
  };
  const lookSoon = (): void => {
    timer = undefined;
    if (lifecycle.signal.aborted) return;
    const looked = lookNow().catch((error: unknown) => log.warn({ error }, 'the ledger network could not be looked at'));
    lifecycle.background('a look at the ledger network', looked);
  };
  return {
    lookNow,
    look: async () => {
      await lookNow();
    },
    nudge: () => {
      timer ??= setTimeout(lookSoon, lingerMs).unref();
    },
    stop: async () => {
      clearTimeout(timer);
      await running?.catch(() => undefined);
    },
  };
}
