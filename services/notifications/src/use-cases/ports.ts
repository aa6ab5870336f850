import type { Clock, Instant } from '@holdfast/kernel/context';
import type { EventOfHistory, EventRecord } from '@holdfast/contracts/http';
import type { AuditFact, Envelope } from '@holdfast/contracts/messages';
import type { Id, MarketplaceId } from '@holdfast/kernel/ids';
import type { Listed, PageFilter } from '@holdfast/kernel/pages';
import type { AuditEntry } from '../domain/audit-chain.js';
import type { EventFilter } from '../domain/event-filter.js';
import type { OrderedArrival } from '../domain/hold-back.js';

/** A message `audit.recorded` that is to be appended to the audit trail. */
export type AuditArrival = OrderedArrival & { readonly kind: 'audit'; readonly message: Envelope<AuditFact> };

/** A consumed message that is to be appended, with the data that decides its order. */
export type Arrival = AuditArrival | (OrderedArrival & { readonly kind: 'event' | 'key'; readonly message: Envelope });

/** Resolves once the message is in the log, by this call or by an earlier delivery. */
export type Append = (arrival: Arrival) => Promise<void>;

/** An event as it is stored in the log. */
export type LoggedEvent = {
  readonly position: bigint;
  readonly marketplaceId: MarketplaceId;
  readonly occurredAt: Instant;
  readonly eventType: string;
  readonly aggregateType: string;
  /** The envelope, in one line of JSON. */
  readonly envelope: string;
};

/** Selects events of one marketplace in order: after a timestamp and a position, up to and including `untilPosition`. */
export type Replay = {
  readonly marketplaceId: MarketplaceId;
  readonly after: Instant;
  readonly afterPosition: bigint;
  readonly untilPosition: bigint;
  readonly filter: EventFilter;
  readonly limit: number;
};

export type EventLog = {
  readonly replay: (replay: Replay) => Promise<readonly LoggedEvent[]>;
  /** Timestamp of the marketplace's last event that retention has dropped. */
  readonly historyDroppedUntil: (marketplaceId: MarketplaceId) => Promise<Instant | undefined>;
};

/** A page of the log: events of one marketplace after a timestamp. */
export type EventList = {
  readonly marketplaceId: MarketplaceId;
  readonly after: Instant;
  /** Null for all. */
  readonly types: readonly string[] | null;
  readonly aggregateId: string | undefined;
  readonly limit: number;
};

/** The history of the log, as lists. */
export type EventLists = {
  readonly find: (marketplaceId: MarketplaceId, eventId: string) => Promise<EventRecord | undefined>;
  /** The timestamp of an event; undefined if the marketplace's history has no such event. */
  readonly momentOf: (marketplaceId: MarketplaceId, eventId: string) => Promise<Instant | undefined>;
  /** Oldest first. */
  readonly list: (list: EventList) => Promise<readonly EventRecord[]>;
  /** The newest events about any of the resources, newest first. */
  readonly newestOf: (
    marketplaceId: MarketplaceId,
    resourceIds: readonly string[],
    limit: number,
  ) => Promise<readonly EventOfHistory[]>;
};

/** The client side of one open stream. */
export type Sink = {
  readonly write: (bytes: Uint8Array) => void;
  readonly unsentBytes: () => number;
  /** Resolves once all written bytes are sent, or the client has disconnected. */
  readonly whenSent: () => Promise<void>;
  /** Closes after the written bytes are sent. */
  readonly end: () => void;
  /** Closes at once; unsent bytes are lost. */
  readonly destroy: () => void;
  readonly onClose: (listener: () => void) => void;
};

export type AuditFilter = Pick<PageFilter, 'limit' | 'cursor'> & {
  readonly action?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly actorId?: string | undefined;
  readonly result?: 'SUCCESS' | 'FAILURE' | undefined;
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  /** Entries with these actions are left out, whatever the other filters say. */
  readonly hiddenActions: readonly string[];
};

/** The first inconsistency of the audit trail. */
export type AuditBreak = {
  /** Null where a seal is broken and no single entry can be named. */
  readonly entryId: Id<'aud'> | null;
  readonly position: bigint;
  readonly batch: bigint;
  readonly fault: 'altered' | 'missing' | 'unsealed' | 'seal broken';
};

export type AuditVerification = {
  readonly entries: bigint;
  readonly batches: bigint;
  readonly checkedAt: Instant;
  /** The hash of the last entry. A copy stored elsewhere proves later that the trail was not truncated. */
  readonly lastHash: string;
  readonly firstBreak: AuditBreak | null;
};

export type AuditTrail = {
  /** Newest first, one more than the limit where there is more. Undefined when the cursor is not an entry of the list. */
  readonly list: (marketplaceId: MarketplaceId, filter: AuditFilter) => Listed<AuditEntry>;
  readonly verify: () => Promise<AuditVerification>;
};

export type StreamLimits = {
  readonly connectionsMax: number;
  readonly connectionsPerKeyMax: number;
  readonly unsentBytesMax: number;
  readonly pingEveryMs: number;
  readonly drainMs: number;
};

/** Metrics of the streams. */
export type StreamCounts = {
  readonly connections: (count: number) => void;
  readonly delivered: (count: number) => void;
  readonly disconnected: (reason: DisconnectReason) => void;
};

export const disconnectReasons = ['slow', 'credential', 'expired', 'stopping', 'failed'] as const;
export type DisconnectReason = (typeof disconnectReasons)[number];

export type StreamDeps = {
  readonly log: EventLog;
  readonly limits: StreamLimits;
  readonly counts: StreamCounts;
  readonly clock: Clock;
  /** A random integer from 0 up to, excluding, `below`. It spreads the reconnects of clients. */
  readonly randomBelow: (below: number) => number;
  readonly historyDays: number;
};
