import type { Event } from '@holdfast/sdk';

/** As many as a person can look through; what is older is in the history. */
export const shownMax = 200;

/** Newest first, each event once: delivery is at least once, and a replay meets what came live. */
export function withEvents(shown: readonly Event[], arrived: readonly Event[]): readonly Event[] {
  const known = new Set(shown.map(({ eventId }) => eventId));
  const added = arrived.filter(({ eventId }) => !known.has(eventId));
  if (added.length === 0) return shown;
  return [...added, ...shown].sort(newestFirst).slice(0, shownMax);
}

/** Times of the event log grow with its order, to the microsecond. */
function newestFirst(one: Event, other: Event): number {
  if (one.occurredAt === other.occurredAt) return 0;
  return one.occurredAt < other.occurredAt ? 1 : -1;
}
