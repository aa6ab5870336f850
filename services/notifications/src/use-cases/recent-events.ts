import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { eventMessage } from '../domain/wire.js';
import type { LoggedEvent } from './ports.js';

/** An event with its bytes on the wire, which are made once, when somebody needs them first. */
export type WireEvent = LoggedEvent & { readonly bytes: () => Buffer };

export function wireEvent(event: LoggedEvent): WireEvent {
  let bytes: Buffer | undefined;
  return { ...event, bytes: () => (bytes ??= Buffer.from(eventMessage(event))) };
}

/** The newest events in memory, so that a client that was away for a moment costs the database nothing. */
export type RecentEvents = {
  readonly add: (events: readonly WireEvent[]) => void;
  /** Those of the marketplace after a position; undefined where memory does not reach back that far. */
  readonly afterPosition: (marketplaceId: MarketplaceId, position: bigint) => readonly WireEvent[] | undefined;
  /** Those of the marketplace after a moment; undefined where memory does not hold an event of that moment or before. */
  readonly afterMoment: (marketplaceId: MarketplaceId, moment: Instant) => readonly WireEvent[] | undefined;
};

const eventsMax = 4_096;
const charactersMax = 4 * 1_024 * 1_024;

/** `position` is where the log stood when memory began. */
export function createRecentEvents(position: bigint): RecentEvents {
  let events: readonly WireEvent[] = [];
  let characters = 0;
  /** Every event after it is in memory. */
  let completeAfter = position;

  const evict = (): void => {
    let count = 0;
    while (events.length - count > eventsMax || (characters > charactersMax && count < events.length)) {
      characters -= events[count]?.envelope.length ?? 0;
      count += 1;
    }
    if (count === 0) return;
    completeAfter = events[count - 1]?.position ?? completeAfter;
    events = events.slice(count);
  };

  const of = (marketplaceId: MarketplaceId): readonly WireEvent[] =>
    events.filter((event) => event.marketplaceId === marketplaceId);

  return {
    add: (fresh) => {
      events = [...events, ...fresh];
      for (const { envelope } of fresh) characters += envelope.length;
      evict();
    },
    afterPosition: (marketplaceId, after) =>
      after < completeAfter ? undefined : of(marketplaceId).filter((event) => event.position > after),
    afterMoment: (marketplaceId, moment) => {
      const known = of(marketplaceId);
      const [first] = known;
      if (first === undefined || first.occurredAt > moment) return undefined;
      return known.filter(({ occurredAt }) => occurredAt > moment);
    },
  };
}
