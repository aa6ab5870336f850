import type { Clock, Instant } from '@holdfast/kernel/context';
import type { AuditFact, Envelope } from '@holdfast/contracts/messages';
import type { Id, MarketplaceId } from '@holdfast/kernel/ids';
import type { Listed, PageFilter } from '@holdfast/kernel/pages';
import type { AuditEntry } from '../domain/audit-chain.js';
import type { EventFilter } from '../domain/event-filter.js';
import type { OrderedArrival } from '../domain/hold-back.js';

/** Something somebody did. */
export type AuditArrival = OrderedArrival & { readonly kind: 'audit'; readonly message: Envelope<AuditFact> };

/** A message that is to be appended, and what its order depends on. */
export type Arrival = AuditArrival | (OrderedArrival & { readonly kind: 'event' | 'key'; readonly message: Envelope });

/** Resolves once it is in the log, by this call or by an earlier one. */
export type Append = (arrival: Arrival) => Promise<void>;

/** An event as the log has it. */
export type LoggedEvent = {
  readonly position: bigint;
  readonly marketplaceId: MarketplaceId;
  readonly occurredAt: Instant;
  readonly eventType: string;
  readonly aggregateType: string;
  /** The whole envelope, in one line of JSON. */
  readonly envelope: string;
};

/** Events of one marketplace in their order: after a moment and a position, up to and with another position. */
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
  /** The last event of the marketplace that the history no longer has. */
  readonly historyDroppedUntil: (marketplaceId: MarketplaceId) => Promise<Instant | undefined>;
};

/** One client that reads a stream. */
export type Sink = {
  readonly write: (bytes: Uint8Array) => void;
  readonly unsentBytes: () => number;
  /** Resolves once everything is on its way, or the client has left. */
  readonly whenSent: () => Promise<void>;
  /** Lets what was written arrive. */
  readonly end: () => void;
  /** Breaks off. */
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
  /** Whatever was asked for, these are not in the list. */
  readonly hiddenActions: readonly string[];
};

/** Where the audit trail contradicts itself first. */
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
  /** The hash of the last entry: who has noted it can tell later whether the trail was cut. */
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

/** What is counted of the streams. */
export type StreamCounts = {
  readonly connections: (count: number) => void;
  readonly delivered: (count: number) => void;
  readonly disconnected: (reason: DisconnectReason) => void;
};

export type DisconnectReason = 'slow' | 'credential' | 'expired' | 'stopping' | 'failed';

export type StreamDeps = {
  readonly log: EventLog;
  readonly limits: StreamLimits;
  readonly counts: StreamCounts;
  readonly clock: Clock;
  /** A number from 0 up to, but without, `below`: so that clients do not all come back at once. */
  readonly randomBelow: (below: number) => number;
  readonly historyDays: number;
};
