import { inboxColumns, type InboxRow } from '@holdfast/messaging/inbox';
import { singleRow, unnestRows, type BoundStatement } from '@holdfast/postgres';
import * as schema from '../schema.js';
import type { AuditEntryRow, AuditSealRow, ClockRow, EventRow, HeadRow, KeyChangeRow, MovedEndRow } from '../schema.js';

/** Everything that a batch writes; an unused table has an empty list. */
export type AppendedRows = {
  readonly end: MovedEndRow;
  readonly events: readonly EventRow[];
  /** Aggregates without an event in the log. */
  readonly newHeads: readonly HeadRow[];
  readonly heads: readonly HeadRow[];
  readonly clocks: readonly Pick<ClockRow, 'marketplaceId' | 'lastOccurredAt'>[];
  readonly keyChanges: readonly Pick<KeyChangeRow, 'apiKeyId' | 'changedAt'>[];
  readonly auditEntries: readonly AuditEntryRow[];
  readonly auditSeals: readonly AuditSealRow[];
  readonly handled: readonly InboxRow[];
};

const end = singleRow(schema.movedEndColumns);
const events = unnestRows(schema.events.columns, undefined, { parametersBefore: end.lastParameter });
const newHeads = unnestRows(schema.heads.columns, undefined, { parametersBefore: events.lastParameter });
const heads = unnestRows(schema.heads.columns, undefined, { parametersBefore: newHeads.lastParameter });
const clocks = unnestRows(schema.clocks.columns, ['marketplaceId', 'lastOccurredAt'], { parametersBefore: heads.lastParameter });
const keyChanges = unnestRows(schema.keyChanges.columns, ['apiKeyId', 'changedAt'], { parametersBefore: clocks.lastParameter });
const auditEntries = unnestRows(schema.auditEntries.columns, undefined, { parametersBefore: keyChanges.lastParameter });
const auditSeals = unnestRows(schema.auditSeals.columns, undefined, { parametersBefore: auditEntries.lastParameter });
const handled = unnestRows(inboxColumns, undefined, { parametersBefore: auditSeals.lastParameter });

/**
 * The optimistic lock comes first: all inserts depend on the row of `moved`, which exists only if the log still ends where the batch was
 * decided. Concurrent appends wait for that row lock, so positions have the order of their commits. Primary keys guard the rest. The
 * statement fails if the inbox has a message of the batch, or if the log has events of an aggregate that the batch takes for new. It reads
 * no table that grows, because a plan from the time when that table was empty would scan it. A late event does not lower the version of its
 * aggregate.
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
    returning appender.token
  ),
  event_rows as (
    insert into events (${events.columns})
    select given.*
    from moved
    cross join ${events.from}
  ),
  new_head_rows as (
    insert into aggregate_heads (${newHeads.columns})
    select given.*
    from moved
    cross join ${newHeads.from}
    returning aggregate, version
  ),
  head_rows as (
    insert into aggregate_heads (${heads.columns})
    select given.*
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
  select (
      select json_object_agg(aggregate, version)
      from (
        select * from new_head_rows
        union all
        select * from head_rows
      ) as written
    ) as versions
  from moved`;

/** The one row that the statement returns, or none if the log has moved on. */
export type AppendedRow = {
  /** Highest version by aggregate; null where the batch has none. */
  readonly versions: Readonly<Record<string, number>> | null;
};

export function appendRows(rows: AppendedRows): BoundStatement {
  const values = [
    ...end.valuesOf(rows.end),
    ...events.valuesOf(rows.events),
    ...newHeads.valuesOf(rows.newHeads),
    ...heads.valuesOf(rows.heads),
    ...clocks.valuesOf(rows.clocks),
    ...keyChanges.valuesOf(rows.keyChanges),
    ...auditEntries.valuesOf(rows.auditEntries),
    ...auditSeals.valuesOf(rows.auditSeals),
    ...handled.valuesOf(rows.handled),
  ];
  return { name: 'append-rows', text, values };
}
