import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { columnsOf, tableOf } from '@holdfast/postgres';
import type { AuditEntry, AuditSeal } from '../domain/audit-chain.js';
import type { LoggedEvent } from '../use-cases/ports.js';
import { deliveries, endpoints, fanOut } from './webhooks/schema.js';

/** The ends of the log and of the audit trail. */
export type LogEnd = {
  readonly lastPosition: bigint;
  readonly auditPosition: bigint;
  readonly auditHash: string;
  readonly auditBatch: bigint;
  readonly auditSeal: string;
};

export type AppenderRow = LogEnd & { readonly isOnly: boolean; readonly token: bigint };
/** The new end of the log, and the end on which the batch was decided: the optimistic lock. */
export type MovedEndRow = Omit<AppenderRow, 'isOnly'> & { readonly seenPosition: bigint; readonly seenAuditPosition: bigint };
export type EventRow = LoggedEvent & { readonly eventId: string; readonly aggregateId: string; readonly appendedAt: Instant };
export type ClockRow = {
  readonly marketplaceId: MarketplaceId;
  readonly lastOccurredAt: Instant;
  readonly historyDroppedUntil: Instant | null;
};
export type HeadRow = { readonly aggregate: string; readonly version: bigint };
export type KeyChangeRow = { readonly position: bigint; readonly apiKeyId: string; readonly changedAt: Instant };
export type AuditEntryRow = AuditEntry & { readonly hash: string };
export type AuditSealRow = AuditSeal & { readonly seal: string };

const endColumns = columnsOf<Omit<AppenderRow, 'isOnly'>>()({
  token: { column: 'token', type: 'bigint' },
  lastPosition: { column: 'last_position', type: 'bigint' },
  auditPosition: { column: 'audit_position', type: 'bigint' },
  auditHash: { column: 'audit_hash', type: 'text' },
  auditBatch: { column: 'audit_batch', type: 'bigint' },
  auditSeal: { column: 'audit_seal', type: 'text' },
});

export const appender = tableOf<AppenderRow>('appender')({
  isOnly: { column: 'is_only', type: 'boolean', isPrimary: true },
  ...endColumns,
});

export const movedEndColumns = columnsOf<MovedEndRow>()({
  ...endColumns,
  seenPosition: { column: 'seen_position', type: 'bigint' },
  seenAuditPosition: { column: 'seen_audit_position', type: 'bigint' },
});

/** The columns that readers of the log select. */
export const loggedEventColumns = columnsOf<LoggedEvent>()({
  position: { column: 'position', type: 'bigint', isPrimary: true },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  occurredAt: { column: 'occurred_at', type: 'timestamptz' },
  eventType: { column: 'event_type', type: 'text' },
  aggregateType: { column: 'aggregate_type', type: 'text' },
  envelope: { column: 'envelope', type: 'text' },
});

export const events = tableOf<EventRow>('events')({
  ...loggedEventColumns,
  eventId: { column: 'event_id', type: 'text' },
  aggregateId: { column: 'aggregate_id', type: 'text' },
  appendedAt: { column: 'appended_at', type: 'timestamptz', isPrimary: true },
});

export const clocks = tableOf<ClockRow>('marketplace_clocks')({
  marketplaceId: { column: 'marketplace_id', type: 'text', isPrimary: true },
  lastOccurredAt: { column: 'last_occurred_at', type: 'timestamptz' },
  historyDroppedUntil: { column: 'history_dropped_until', type: 'timestamptz' },
});

export const heads = tableOf<HeadRow>('aggregate_heads')({
  aggregate: { column: 'aggregate', type: 'text', isPrimary: true },
  version: { column: 'version', type: 'bigint' },
});

export const keyChanges = tableOf<KeyChangeRow>('key_changes')({
  position: { column: 'position', type: 'bigint', isPrimary: true },
  apiKeyId: { column: 'api_key_id', type: 'text' },
  changedAt: { column: 'changed_at', type: 'timestamptz' },
});

export const auditEntryColumns = columnsOf<AuditEntry>()({
  position: { column: 'position', type: 'bigint', isPrimary: true },
  id: { column: 'id', type: 'text' },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  occurredAt: { column: 'occurred_at', type: 'timestamptz' },
  action: { column: 'action', type: 'text' },
  resourceType: { column: 'resource_type', type: 'text' },
  resourceId: { column: 'resource_id', type: 'text' },
  relatedIds: { column: 'related_ids', type: 'text[]' },
  actorType: { column: 'actor_type', type: 'text' },
  actorId: { column: 'actor_id', type: 'text' },
  result: { column: 'result', type: 'text' },
  reason: { column: 'reason', type: 'text' },
  before: { column: 'before', type: 'text' },
  after: { column: 'after', type: 'text' },
  requestId: { column: 'request_id', type: 'text' },
});

/** Includes the hash, which only the verification of the chain reads. */
export const auditEntries = tableOf<AuditEntryRow>('audit_entries')({
  ...auditEntryColumns,
  hash: { column: 'hash', type: 'text' },
});

export const auditSeals = tableOf<AuditSealRow>('audit_seals')({
  batch: { column: 'batch', type: 'bigint', isPrimary: true },
  firstPosition: { column: 'first_position', type: 'bigint' },
  lastPosition: { column: 'last_position', type: 'bigint' },
  lastHash: { column: 'last_hash', type: 'text' },
  sealedAt: { column: 'sealed_at', type: 'timestamptz' },
  seal: { column: 'seal', type: 'text' },
});

export const entities = [
  endpoints,
  deliveries,
  fanOut,
  appender,
  events,
  clocks,
  heads,
  keyChanges,
  auditEntries,
  auditSeals,
].map(({ entity }) => entity);
