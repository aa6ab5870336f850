import { performance } from 'node:perf_hooks';
import { dueWorkEveryMs, type Job, type WakeJob } from '@holdfast/work';
import type { LoggedEvent } from '../use-cases/ports.js';
import type { KeyChange, LogEnds, LogReader } from './event-log.js';

export type TailOptions = {
  readonly reader: Pick<LogReader, 'ends' | 'eventsAfter' | 'keyChangesAfter'>;
  /** Last positions that are already processed. */
  readonly from: LogEnds;
  /** Poll interval while another process appends and no notification arrives. */
  readonly pollEveryMs: number;
  /** While this process appends, no other process does, and it feeds its own appends. */
  readonly isAppending: () => boolean;
  readonly wake: WakeJob;
  readonly onEvents: (events: readonly LoggedEvent[]) => void;
  readonly onKeyChange: (change: KeyChange) => void;
};

export type Tail = {
  /** The log has grown up to this position. Without one: it may have key changes, or another process appends now. */
  readonly wake: (lastPosition?: bigint) => void;
  /** Takes the events that this process has appended, so that they are not read again unless an earlier event is missing. */
  readonly feed: (events: readonly LoggedEvent[]) => void;
  readonly job: Job;
};

const name = 'follow-event-log';
const rowsMax = 500;

/** Follows the log: notifications wake it up, and a poll finds the events of lost notifications. */
export function followLog(options: TailOptions): Tail {
  const { reader, pollEveryMs, isAppending, wake: wakeJob, onEvents, onKeyChange } = options;
  let { position, keyChange } = options.from;
  /** The end of the log, as far as this process knows. */
  let ends = options.from;
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  /** Ignores events that were delivered already, because an event can be both fed and read. */
  const show = (events: readonly LoggedEvent[]): void => {
    const fresh = events.filter((event) => event.position > position);
    position = fresh.at(-1)?.position ?? position;
    if (fresh.length > 0) onEvents(fresh);
  };

  const wake = (lastPosition?: bigint): void => {
    if (lastPosition === undefined) wakeJob(name, pollEveryMs);
    else if (lastPosition > position) {
      if (lastPosition > ends.position) ends = { ...ends, position: lastPosition };
      wakeJob(name);
    }
  };

  /** Positions have no gaps, so a missing next position means that another process has appended it. */
  const feed = (events: readonly LoggedEvent[]): void => {
    const [first, last] = [events[0], events.at(-1)];
    if (first === undefined || last === undefined) return;
    if (first.position > position + 1n) wake(last.position);
    else show(events);
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    for (let isMore = ends.position > position; isMore && !signal.aborted;) {
      const events = await reader.eventsAfter(position, rowsMax);
      show(events);
      isMore = events.length === rowsMax;
    }
    if (ends.keyChange <= keyChange) return;
    const changes = await reader.keyChangesAfter(keyChange);
    keyChange = changes.at(-1)?.position ?? ends.keyChange;
    changes.forEach(onKeyChange);
  };

  const nextDueInMs = async (): Promise<number | undefined> => {
    const lookInMs = lookedAtMs + pollEveryMs - performance.now();
    if (lookInMs > 0) return lookInMs;
    lookedAtMs = performance.now();
    const { position: last, keyChange: lastKeyChange } = await reader.ends();
    // A notification may have come meanwhile.
    ends = { position: last > ends.position ? last : ends.position, keyChange: lastKeyChange };
    if (ends.position > position || ends.keyChange > keyChange) return 0;
    return isAppending() ? undefined : pollEveryMs;
  };

  return { wake, feed, job: { name, everyMs: dueWorkEveryMs, pauseMsMin: 0, nextDueInMs, run } };
}
