import type { Clock, Instant } from '@holdfast/shared/context';
import type { MarketplaceId } from '@holdfast/shared/ids';
import { putInOrder, type Appended } from '../domain/hold-back.js';
import { shownMoment } from '../domain/occurred-at.js';
import type { Arrival, AuditArrival, LoggedEvent } from '../use-cases/ports.js';
import { sealFacts, type AuditEnd, type Sealed, type Sealer } from './record-audit.js';
import { shownEnvelope } from './shown-envelope.js';

/** Where log and audit trail end. */
export type LogEnd = AuditEnd & { readonly last_position: bigint };

/** What has to be known of the log to append a batch to it. */
export type Known = Appended & {
  readonly end: LogEnd;
  /** The last moment shown to each marketplace. */
  readonly clocks: ReadonlyMap<MarketplaceId, Instant>;
};

export type DecidedEvent = LoggedEvent & { readonly eventId: string };

/** What a batch will have done to the log once it is committed. */
export type Decision = {
  readonly at: Instant;
  /** Messages that are appended now. */
  readonly ids: readonly string[];
  readonly events: readonly DecidedEvent[];
  readonly audit: Sealed | undefined;
  readonly keys: readonly string[];
  /** The highest number of each aggregate that is numbered without gaps. */
  readonly heads: ReadonlyMap<string, number>;
  /** The same of all others. */
  readonly looseHeads: ReadonlyMap<string, number>;
  readonly clocks: Known['clocks'];
  readonly end: LogEnd;
};

export type Deciding = { readonly clock: Clock; readonly sealer: Sealer };

/** Decides on whatever is not held back and not in the log. The arrivals have different ids. */
export function decideBatch(arrivals: readonly Arrival[], known: Known, { clock, sealer }: Deciding): Decision {
  const fresh = arrivals.filter(({ id }) => !known.ids.has(id));
  const { ready } = putInOrder(fresh, known, clock.epochMs());
  const at = clock.now();
  const moments = momentsOf(known.clocks, ready, at);
  const told = ready.filter(({ kind }) => kind === 'event');
  const events = told.map((event, index) => eventOf(event, moments.of(event), known.end.last_position + BigInt(index + 1)));
  const facts = ready.filter(isFact).map((arrival) => ({ arrival, occurredAt: moments.of(arrival) }));
  const audit = facts.length === 0 ? undefined : sealFacts({ facts, end: known.end, sealedAt: at, sealer });
  return {
    at,
    ids: ready.map(({ id }) => id),
    events,
    audit,
    keys: ready.filter(({ kind }) => kind === 'key').map(({ message }) => message.aggregateId),
    heads: headsOf(told, true),
    looseHeads: headsOf(told, false),
    clocks: moments.last,
    end: { ...known.end, ...audit?.end, last_position: events.at(-1)?.position ?? known.end.last_position },
  };
}

function isFact(arrival: Arrival): arrival is AuditArrival {
  return arrival.kind === 'audit';
}

function eventOf({ id, message }: Arrival, occurredAt: Instant, position: bigint): DecidedEvent {
  const { marketplaceId, type: eventType, aggregateType } = message;
  return {
    position,
    marketplaceId,
    occurredAt,
    eventType,
    aggregateType,
    eventId: id,
    envelope: shownEnvelope(message, occurredAt),
  };
}

type Moments = {
  readonly of: (arrival: Arrival) => Instant;
  /** The last one of each marketplace. */
  readonly last: Known['clocks'];
};

/** Events and audit entries of a marketplace share one clock, so no two of them have the same moment. */
function momentsOf(clocks: Known['clocks'], arrivals: readonly Arrival[], now: Instant): Moments {
  const last = new Map<MarketplaceId, Instant>();
  const moments = new Map<string, Instant>();
  for (const { id, kind, message } of arrivals) {
    if (kind === 'key') continue;
    const { marketplaceId, occurredAt: produced } = message;
    const moment = shownMoment({ last: last.get(marketplaceId) ?? clocks.get(marketplaceId), produced, now });
    last.set(marketplaceId, moment);
    moments.set(id, moment);
  }
  return { of: ({ id }) => moments.get(id) ?? now, last };
}

function headsOf(events: readonly Arrival[], isGapless: boolean): ReadonlyMap<string, number> {
  const heads = new Map<string, number>();
  for (const { numbered } of events) {
    if (numbered?.isGapless !== isGapless) continue;
    heads.set(numbered.aggregate, Math.max(numbered.version, heads.get(numbered.aggregate) ?? 0));
  }
  return heads;
}
