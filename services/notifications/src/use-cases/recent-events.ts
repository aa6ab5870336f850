import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { eventMessage } from '../domain/sse-messages.js';
import type { LoggedEvent } from './ports.js';

/** An event with its encoded bytes, which are computed at first use and shared by all subscribers. */
export type WireEvent = LoggedEvent & { readonly bytes: () => Buffer };

export function wireEvent(event: LoggedEvent): WireEvent {
  let bytes: Buffer | undefined;
  return { ...event, bytes: () => (bytes ??= Buffer.from(eventMessage(event))) };
}

/** Cache of the newest events, so that a client that reconnects after a short time needs no database read. */
export type RecentEvents = {
  readonly add: (events: readonly WireEvent[]) => void;
  /** The marketplace's events after a position; undefined where the cache does not reach back that far. */
  readonly afterPosition: (marketplaceId: MarketplaceId, position: bigint) => readonly WireEvent[] | undefined;
  /** The marketplace's events after a timestamp; undefined where the cache has no event at that timestamp or before. */
  readonly afterMoment: (marketplaceId: MarketplaceId, moment: Instant) => readonly WireEvent[] | undefined;
};

const eventsMax = 4_096;
const charactersMax = 4 * 1_024 * 1_024;

/** `position` is the last position of the log when the cache is created. */
export function createRecentEvents(position: bigint): RecentEvents {
  let events: readonly WireEvent[] = [];
  let characters = 0;
  /** Every event after this position is cached. */
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
