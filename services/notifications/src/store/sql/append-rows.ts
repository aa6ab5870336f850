import { inboxColumns, type InboxRow } from '@holdfast/messaging/inbox';
import { unnestRows, type BoundStatement } from '@holdfast/postgres';
import * as schema from '../schema.js';
import type { AuditEntryRow, AuditSealRow, ClockRow, EventRow, KeyChangeRow, MovedEndRow, MovedHeadRow } from '../schema.js';

/** Everything that a batch writes; an unused table has an empty list. */
export type AppendedRows = {
  readonly end: MovedEndRow;
  readonly events: readonly EventRow[];
  readonly heads: readonly MovedHeadRow[];
  readonly clocks: readonly Pick<ClockRow, 'marketplaceId' | 'lastOccurredAt'>[];
  readonly keyChanges: readonly Pick<KeyChangeRow, 'apiKeyId' | 'changedAt'>[];
  readonly auditEntries: readonly AuditEntryRow[];
  readonly auditSeals: readonly AuditSealRow[];
  readonly handled: readonly InboxRow[];
};

const end = unnestRows(schema.movedEndColumns);
const events = unnestRows(schema.events.columns, undefined, { parametersBefore: end.lastParameter });
const heads = unnestRows(schema.movedHeadColumns, undefined, { parametersBefore: events.lastParameter });
const clocks = unnestRows(schema.clocks.columns, ['marketplaceId', 'lastOccurredAt'], { parametersBefore: heads.lastParameter });
const keyChanges = unnestRows(schema.keyChanges.columns, ['apiKeyId', 'changedAt'], { parametersBefore: clocks.lastParameter });
const auditEntries = unnestRows(schema.auditEntries.columns, undefined, { parametersBefore: keyChanges.lastParameter });
const auditSeals = unnestRows(schema.auditSeals.columns, undefined, { parametersBefore: auditEntries.lastParameter });
const handled = unnestRows(inboxColumns, undefined, { parametersBefore: auditSeals.lastParameter });

/**
 * The optimistic lock comes first: all inserts depend on the row of `moved`. The row exists only if the log still ends where the batch was
 * decided and has none of its messages. The log must also have counted as many events of the batch's aggregates as the batch assumes.
 * Concurrent appends wait for that row lock, so positions have the order of their commits. A message that comes into the inbox meanwhile
 * violates its primary key and fails the statement. A late event does not lower the version of its aggregate.
 */
const text = `
  with moved as (
    update appender
    set last_position = given.last_position,
      audit_position = given.audit_position,
      audit_hash = given.audit_hash,
      audit_batch = given.audit_batch,
      audit_seal = given.audit_seal
    from ${end.from}
    where appender.token = given.token
      and appender.last_position = given.seen_position
      and appender.audit_position = given.seen_audit_position
      and not exists (
        select
        from inbox
        join ${handled.from} using (${handled.columns})
      )
      and not exists (
        select
        from aggregate_heads
        join ${heads.from} using (aggregate)
        where aggregate_heads.version <> given.seen_version
      )
    returning appender.token
  ),
  event_rows as (
    insert into events (${events.columns})
    select given.*
    from moved
    cross join ${events.from}
  ),
  head_rows as (
    insert into aggregate_heads (aggregate, version)
    select given.aggregate, given.version
    from moved
    cross join ${heads.from}
    on conflict (aggregate) do update
    set version = greatest(aggregate_heads.version, excluded.version)
    returning aggregate, version
  ),
  clock_rows as (
    insert into marketplace_clocks (${clocks.columns})
    select given.*
    from moved
    cross join ${clocks.from}
    on conflict (marketplace_id) do update
    set last_occurred_at = excluded.last_occurred_at
  ),
  key_change_rows as (
    insert into key_changes (${keyChanges.columns})
    select given.*
    from moved
    cross join ${keyChanges.from}
  ),
  audit_entry_rows as (
    insert into audit_entries (${auditEntries.columns})
    select ${auditEntries.values}
    from moved
    cross join ${auditEntries.from}
  ),
  audit_seal_rows as (
    insert into audit_seals (${auditSeals.columns})
    select given.*
    from moved
    cross join ${auditSeals.from}
  ),
  inbox_rows as (
    insert into inbox (${handled.columns})
    select given.*
    from moved
    cross join ${handled.from}
  )
  select (select json_object_agg(aggregate, version) from head_rows) as versions
  from moved`;

/** The one row that the statement returns, or none on a conflict. */
export type AppendedRow = {
  /** Highest version by aggregate; null where the batch has none. */
  readonly versions: Readonly<Record<string, number>> | null;
};

export function appendRows(rows: AppendedRows): BoundStatement {
  const values = [
    ...end.valuesOf([rows.end]),
    ...events.valuesOf(rows.events),
    ...heads.valuesOf(rows.heads),
    ...clocks.valuesOf(rows.clocks),
    ...keyChanges.valuesOf(rows.keyChanges),
    ...auditEntries.valuesOf(rows.auditEntries),
    ...auditSeals.valuesOf(rows.auditSeals),
    ...handled.valuesOf(rows.handled),
  ];
  return { name: 'append-rows', text, values };
}
