import type { Clock, Instant } from '@holdfast/kernel/context';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { countEvents, type CountedEvents } from '../domain/counted-events.js';
import { orderArrivals, type Appended } from '../domain/hold-back.js';
import { shownMoment } from '../domain/occurred-at.js';
import type { Arrival, AuditArrival, LoggedEvent } from '../use-cases/ports.js';
import { sealFacts, type Sealed, type Sealer } from './record-audit.js';
import type { LogEnd } from './schema.js';
import { shownEnvelope } from './shown-envelope.js';

/** The state of the log that a batch depends on. */
export type LogState = Appended & {
  readonly end: LogEnd;
  /** The last timestamp shown to each marketplace. */
  readonly clocks: ReadonlyMap<MarketplaceId, Instant>;
  /** The timestamps of events in the log that audit entries of the batch report. */
  readonly reported: ReadonlyMap<string, Instant>;
};

export type DecidedEvent = LoggedEvent & { readonly eventId: string; readonly aggregateId: string };

/** The new version of an aggregate. `isNew` if the batch assumes that the log has none of its events. */
export type MovedHead = { readonly aggregate: string; readonly version: number; readonly isNew: boolean };

/** The changes that a batch writes to the log. */
export type LogChanges = {
  readonly at: Instant;
  /** Ids of the messages that the batch appends. */
  readonly ids: readonly string[];
  readonly events: readonly DecidedEvent[];
  readonly audit: Sealed | undefined;
  readonly keys: readonly string[];
  /** The highest versions by publisher, and the numbers of events in the log. */
  readonly heads: readonly MovedHead[];
  readonly clocks: LogState['clocks'];
  readonly end: LogEnd;
};

export type DecideDeps = { readonly clock: Clock; readonly sealer: Sealer };

/** Decides the changes for the messages that are neither in the log nor held back. The ids of the arrivals must be unique. */
export function decideBatch(arrivals: readonly Arrival[], logState: LogState, { clock, sealer }: DecideDeps): LogChanges {
  const fresh = arrivals.filter(({ id }) => !logState.ids.has(id));
  const { ready } = orderArrivals(fresh, logState, clock.epochMs());
  const at = clock.now();
  const moments = momentsOf(logState, ready, at);
  const arrived = ready.filter(({ kind }) => kind === 'event');
  const counted = countEvents(
    arrived.map(({ message }) => message),
    logState.versions,
  );
  const events = arrived.map((event, index) =>
    eventOf(event, {
      occurredAt: moments.of(event),
      position: logState.end.lastPosition + BigInt(index + 1),
      aggregateVersion: counted.versions[index] ?? 0,
    }),
  );
  const facts = ready.filter(isAuditArrival).map((arrival) => ({ arrival, occurredAt: moments.of(arrival) }));
  const audit = facts.length === 0 ? undefined : sealFacts({ facts, end: logState.end, sealedAt: at, sealer });
  return {
    at,
    ids: ready.map(({ id }) => id),
    events,
    audit,
    keys: ready.filter(({ kind }) => kind === 'key').map(({ message }) => message.aggregateId),
    heads: [...publishedHeads(arrived), ...countedHeads(counted)],
    clocks: moments.last,
    end: { ...logState.end, ...audit?.end, lastPosition: events.at(-1)?.position ?? logState.end.lastPosition },
  };
}

function isAuditArrival(arrival: Arrival): arrival is AuditArrival {
  return arrival.kind === 'audit';
}

type ShownEvent = { readonly occurredAt: Instant; readonly position: bigint; readonly aggregateVersion: number };

function eventOf({ id, message }: Arrival, { occurredAt, position, aggregateVersion }: ShownEvent): DecidedEvent {
  const { marketplaceId, type: eventType, aggregateType, aggregateId } = message;
  return {
    position,
    marketplaceId,
    occurredAt,
    eventType,
    aggregateType,
    eventId: id,
    aggregateId,
    envelope: shownEnvelope(message, { occurredAt, aggregateVersion }),
  };
}

type Moments = {
  readonly of: (arrival: Arrival) => Instant;
  /** The last timestamp of each marketplace. */
  readonly last: LogState['clocks'];
};

/**
 * Events and audit entries of a marketplace share one clock, so no two of them have the same timestamp; only an entry that reports
 * an event has the timestamp of that event.
 */
function momentsOf({ clocks, reported }: LogState, arrivals: readonly Arrival[], now: Instant): Moments {
  const last = new Map<MarketplaceId, Instant>();
  const moments = new Map<string, Instant>();
  for (const { id, kind, message, afterEventId = '' } of arrivals) {
    if (kind === 'key') continue;
    const ofEvent = kind === 'audit' ? (moments.get(afterEventId) ?? reported.get(afterEventId)) : undefined;
    if (ofEvent !== undefined) {
      moments.set(id, ofEvent);
      continue;
    }
    const { marketplaceId, occurredAt: produced } = message;
    const moment = shownMoment({ last: last.get(marketplaceId) ?? clocks.get(marketplaceId), produced, now });
    last.set(marketplaceId, moment);
    moments.set(id, moment);
  }
  return { of: ({ id }) => moments.get(id) ?? now, last };
}

/** A late event does not lower the version of its publisher. */
function publishedHeads(events: readonly Arrival[]): readonly MovedHead[] {
  const heads = new Map<string, number>();
  for (const { aggregateVersion } of events) {
    if (aggregateVersion === undefined) continue;
    const { aggregate, version } = aggregateVersion;
    heads.set(aggregate, Math.max(version, heads.get(aggregate) ?? 0));
  }
  return [...heads].map(([aggregate, version]) => ({ aggregate, version, isNew: false }));
}

function countedHeads({ counts }: CountedEvents): readonly MovedHead[] {
  return [...counts].map(([aggregate, { before, after }]) => ({ aggregate, version: after, isNew: before === 0 }));
}
