import type { QueryClient } from '@tanstack/react-query';
import { changesOf, isAffected, type Seen } from './affected.js';
import type { LiveEvent } from './live-context.js';

/** Events that belong together arrive within this time. */
const firstDelayMs = 150;
/** A busy marketplace has events all the time; the screen follows it at this pace. */
const gapMs = 3_000;

/** Marks the queries that events concern, and lets those on the screen be read again: soon after the first event, then at a steady pace. */
export function createRefresh(client: QueryClient, signal: AbortSignal): (event: LiveEvent) => void {
  let seen: Seen[] = [];
  let isWaiting = false;
  const wait = (delayMs: number): void => {
    isWaiting = true;
    setTimeout(flush, delayMs);
  };
  const flush = (): void => {
    isWaiting = false;
    if (seen.length === 0 || signal.aborted) return;
    const changes = changesOf(seen);
    seen = [];
    client.invalidateQueries({ predicate: ({ queryKey }) => isAffected(queryKey, changes) }).catch(() => undefined);
    wait(gapMs);
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
