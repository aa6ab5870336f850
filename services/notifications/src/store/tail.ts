import { performance } from 'node:perf_hooks';
import type { Log } from '@holdfast/kernel/context';
import type { LoggedEvent } from '../use-cases/ports.js';
import type { KeyChange, LogReader } from './event-log.js';

export type TailOptions = {
  readonly reader: Pick<LogReader, 'eventsAfter' | 'keyChangesAfter'>;
  /** Last positions that are already processed. */
  readonly from: { readonly position: bigint; readonly keyChange: bigint };
  /** Poll interval while no notification arrives. */
  readonly pollEveryMs: number;
  readonly onEvents: (events: readonly LoggedEvent[]) => void;
  readonly onKeyChange: (change: KeyChange) => void;
  readonly log: Log;
  readonly signal: AbortSignal;
};

export type Tail = {
  /** Triggers a read if the log has grown beyond the known position; without a position it always does. */
  readonly wake: (lastPosition?: bigint) => void;
  /** Takes the events that this process has appended, so that they are not read again unless an earlier event is missing. */
  readonly feed: (events: readonly LoggedEvent[]) => void;
  /** Resolves after the signal is aborted. */
  readonly ended: Promise<void>;
};

const rowsMax = 500;

/** Follows the log: notifications wake it up, and a poll finds the events of lost notifications. */
export function followLog(options: TailOptions): Tail {
  const { reader, log, signal, pollEveryMs, onEvents, onKeyChange } = options;
  const sleeper = createSleeper();
  let { position, keyChange } = options.from;
  let keysReadAtMs = -Infinity;

  /** Ignores events that were delivered already, because an event can be both fed and read. */
  const show = (events: readonly LoggedEvent[]): void => {
    const fresh = events.filter((event) => event.position > position);
    position = fresh.at(-1)?.position ?? position;
    if (fresh.length > 0) onEvents(fresh);
  };

  /** Positions have no gaps, so a missing next position means that another process has appended it. */
  const feed = (events: readonly LoggedEvent[]): void => {
    const [first] = events;
    if (first === undefined) return;
    if (first.position > position + 1n) sleeper.wake();
    else show(events);
  };

  const readEvents = async (): Promise<boolean> => {
    const events = await reader.eventsAfter(position, rowsMax);
    show(events);
    return events.length === rowsMax;
  };

  /** Key changes have a notification topic of their own; this poll finds those whose notification was lost. */
  const readKeyChanges = async (): Promise<void> => {
    if (performance.now() - keysReadAtMs < pollEveryMs) return;
    keysReadAtMs = performance.now();
    const changes = await reader.keyChangesAfter(keyChange);
    keyChange = changes.at(-1)?.position ?? keyChange;
    changes.forEach(onKeyChange);
  };

  const poll = async (): Promise<boolean> => {
    try {
      const isMore = await readEvents();
      await readKeyChanges();
      return isMore;
    } catch (error) {
      log.warn({ error }, 'reading the event log failed');
      return false;
    }
  };

  const follow = async (): Promise<void> => {
    while (!signal.aborted) if (!(await poll())) await sleeper.sleep(pollEveryMs);
  };

  signal.addEventListener('abort', sleeper.wake, { once: true });
  const wake = (lastPosition?: bigint): void => {
    if (lastPosition === undefined || lastPosition > position) sleeper.wake();
  };
  return { wake, feed, ended: follow() };
}

/** Sleep that `wake` ends early. A `wake` between two sleeps makes the next one return at once. */
function createSleeper(): { readonly sleep: (ms: number) => Promise<void>; readonly wake: () => void } {
  let isWoken = false;
  let wakeSleeper: () => void = () => undefined;
  return {
    wake: () => {
      isWoken = true;
      wakeSleeper();
    },
    sleep: async (ms) => {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wakeSleeper = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isWoken = false;
    },
  };
}
