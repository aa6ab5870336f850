import { performance } from 'node:perf_hooks';
import type { Log } from '@holdfast/kernel/context';
import type { LoggedEvent } from '../use-cases/ports.js';
import type { KeyChange, LogReader } from './event-log.js';

export type TailOptions = {
  readonly reader: Pick<LogReader, 'eventsAfter' | 'keyChangesAfter'>;
  /** Where the log and the key changes stood before. */
  readonly from: { readonly position: bigint; readonly keyChange: bigint };
  /** How long to sleep where nobody wakes it. */
  readonly pollEveryMs: number;
  readonly onEvents: (events: readonly LoggedEvent[]) => void;
  readonly onKeyChange: (change: KeyChange) => void;
  readonly log: Log;
  readonly signal: AbortSignal;
};

export type Tail = {
  /** The log has grown up to here, or may have grown. */
  readonly wake: (lastPosition?: bigint) => void;
  /** What this process itself has appended need not be read again, unless something before it is missing. */
  readonly feed: (events: readonly LoggedEvent[]) => void;
  /** Ends when the signal is aborted. */
  readonly ended: Promise<void>;
};

const rowsMax = 500;

/** Follows the log: woken by hints, and every now and then in case one was lost. */
export function followLog(options: TailOptions): Tail {
  const { reader, log, signal, pollEveryMs, onEvents, onKeyChange } = options;
  const sleeper = createSleeper();
  let { position, keyChange } = options.from;
  let keysReadAtMs = -Infinity;

  /** Some may have come both ways. */
  const show = (events: readonly LoggedEvent[]): void => {
    const fresh = events.filter((event) => event.position > position);
    position = fresh.at(-1)?.position ?? position;
    if (fresh.length > 0) onEvents(fresh);
  };

  /** Positions have no gaps: where the next one is missing, somebody else has appended it. */
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

  /** Hints of key changes come on a way of their own; this one is for hints that were lost. */
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
      log.warn({ error }, 'the event log cannot be read');
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

/** Sleep that can be ended early; being woken while awake makes the next one short. */
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
