import type { QueryClient } from '@tanstack/react-query';
import { changesOf, isAffected, type Seen } from './affected.js';
import type { LiveEvent } from './live-context.js';

/** Events that belong together arrive within this time. */
const firstDelayMs = 150;
/** A busy marketplace has events all the time; the screen follows it at this pace. */
const gapMs = 3_000;
/** The platform counts events up to two seconds after it has shown them, so the last ones are missing in what is read at once. */
const countedLater: readonly unknown[] = ['summary.get'];

/** Marks the queries that events concern, and lets those on the screen be read again: soon after the first event, then at a steady pace. */
export function createRefresh(client: QueryClient, signal: AbortSignal): (event: LiveEvent) => void {
  let seen: Seen[] = [];
  let isWaiting = false;
  let isCountAwaited = false;
  const wait = (delayMs: number): void => {
    isWaiting = true;
    setTimeout(flush, delayMs);
  };
  const flush = (): void => {
    isWaiting = false;
    if (signal.aborted || (seen.length === 0 && !isCountAwaited)) return;
    const changes = changesOf(seen);
    const isCounted = isCountAwaited;
    const isStale = (key: readonly unknown[]): boolean =>
      isAffected(key, changes) || (isCounted && countedLater.includes(key[0]));
    client.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey) }).catch(() => undefined);
    isCountAwaited = seen.length > 0;
    seen = [];
    if (isCountAwaited) wait(gapMs);
  };
  return (event) => {
    if (event.eventType === 'gap') {
      client.invalidateQueries().catch(() => undefined);
      return;
    }
    seen.push(event);
    if (!isWaiting) wait(firstDelayMs);
  };
}
