import { columnsOf, unnestRows, type BoundStatement } from '@holdfast/postgres';
import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { CountedDispute, CountedEscrow, CountedUntil, SummaryChanges } from '../../use-cases/summary/ports.js';

/** An event or audit entry of the batch with the bounds of the batch. A batch without any has one row, whose other values are null. */
export type BatchRow = CountedUntil & {
  readonly positionUntil: bigint;
  readonly auditPositionUntil: bigint;
  readonly isMore: boolean;
  readonly kind: 'event' | 'entry' | null;
  readonly marketplaceId: MarketplaceId | null;
  /** The envelope of an event, or the state before of an audit entry. */
  readonly content: string | null;
  readonly after: string | null;
};

/** The next events and audit entries that change a counter, in the order of the log. */
export const readSummaryBatch = {
  name: 'read-summary-batch',
  text: `
  select bounds.position,
    bounds.audit_position as "auditPosition",
    bounds.position_until as "positionUntil",
    bounds.audit_position_until as "auditPositionUntil",
    bounds.is_more as "isMore",
    found.kind,
    found.marketplace_id as "marketplaceId",
    found.content,
    found.after
  from (
    select summary_position.position,
      summary_position.audit_position,
      least(summary_position.position + $1, appender.last_position) as position_until,
      least(summary_position.audit_position + $1, appender.audit_position) as audit_position_until,
      appender.last_position > summary_position.position + $1
        or appender.audit_position > summary_position.audit_position + $1 as is_more
    from summary_position
    cross join appender
  ) as bounds
  left join lateral (
    select 'event' as kind,
      events.position,
      events.marketplace_id,
      events.envelope as content,
      null as after
    from events
    where events.position > bounds.position
      and events.position <= bounds.position_until
      and events.event_type = any($2)
    union all
    select 'entry',
      audit_entries.position,
      audit_entries.marketplace_id,
      audit_entries.before,
      audit_entries.after
    from audit_entries
    where audit_entries.position > bounds.audit_position
      and audit_entries.position <= bounds.audit_position_until
      and audit_entries.resource_type = any($3)
  ) as found on true
  order by found.kind,
    found.position`,
};

const untilColumns = columnsOf<CountedUntil & { readonly seenPosition: bigint; readonly seenAuditPosition: bigint }>()({
  position: { column: 'position', type: 'bigint' },
  auditPosition: { column: 'audit_position', type: 'bigint' },
  seenPosition: { column: 'seen_position', type: 'bigint' },
  seenAuditPosition: { column: 'seen_audit_position', type: 'bigint' },
});
type CountRow = Omit<SummaryChanges['counts'][number], 'value'> & { readonly value: bigint };
const countColumns = columnsOf<CountRow>()({
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  counter: { column: 'counter', type: 'text' },
  label: { column: 'label', type: 'text' },
  currency: { column: 'currency', type: 'text' },
  value: { column: 'value', type: 'bigint' },
});
const escrowColumns = columnsOf<CountedEscrow>()({
  orderId: { column: 'order_id', type: 'text' },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  currency: { column: 'currency', type: 'text' },
  units: { column: 'units', type: 'bigint' },
});
const disputeColumns = columnsOf<CountedDispute>()({
  disputeId: { column: 'dispute_id', type: 'text' },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  isOverdue: { column: 'is_overdue', type: 'boolean' },
});

const until = unnestRows(untilColumns);
const counts = unnestRows(countColumns, undefined, { parametersBefore: until.lastParameter });
const created = unnestRows(escrowColumns, undefined, { parametersBefore: counts.lastParameter });
const moved = unnestRows(escrowColumns, ['orderId', 'units'], { parametersBefore: created.lastParameter });
const opened = unnestRows(disputeColumns, undefined, { parametersBefore: moved.lastParameter });
const [closedIds, overdueIds, resolvedIds] = [1, 2, 3].map((next) => `any($${opened.lastParameter + next})`);

/**
 * The positions come first: everything else depends on the row of `counted`, which exists only if no other process has counted this
 * batch. What an order or a dispute changes follows from its row, which says what was counted of it before. A count that begins, also
 * after a rebuild, notes the oldest event that is left if older ones were dropped.
 */
const writeText = `
  with counted as (
    update summary_position
    set position = given.position,
      audit_position = given.audit_position,
      counted_since = case when summary_position.position = 0 then (
        select case when events.position > 1 then events.occurred_at end
        from events
        order by events.position
        limit 1
      ) else summary_position.counted_since end
    from ${until.from}
    where summary_position.position = given.seen_position
      and summary_position.audit_position = given.seen_audit_position
    returning summary_position.position
  ),
  created as (
    insert into counted_escrows (${created.columns})
    select ${created.values}
    from counted
    cross join ${created.from}
    on conflict (order_id) do update
    set units = counted_escrows.units + excluded.units
  ),
  moved as (
    update counted_escrows
    set units = counted_escrows.units + given.units
    from counted
    cross join ${moved.from}
    where counted_escrows.order_id = given.order_id
    returning counted_escrows.marketplace_id, counted_escrows.currency, given.units
  ),
  closed as (
    delete from counted_escrows
    using counted
    where order_id = ${closedIds}
    returning marketplace_id, currency, -units as units
  ),
  opened as (
    insert into counted_disputes (${opened.columns})
    select ${opened.values}
    from counted
    cross join ${opened.from}
    on conflict (dispute_id) do nothing
    returning marketplace_id, is_overdue
  ),
  overdue as (
    update counted_disputes
    set is_overdue = true
    from counted
    where dispute_id = ${overdueIds}
      and not is_overdue
    returning marketplace_id
  ),
  resolved as (
    delete from counted_disputes
    using counted
    where dispute_id = ${resolvedIds}
    returning marketplace_id, is_overdue
  ),
  changes as (
    select ${counts.values}
    from ${counts.from}
    union all
    select marketplace_id, 'escrow', '', currency, units from moved
    union all
    select marketplace_id, 'escrow', '', currency, units from closed
    union all
    select marketplace_id, 'disputes', 'open', '', 1 from opened
    union all
    select marketplace_id, 'disputes', 'overdue', '', 1 from opened where is_overdue
    union all
    select marketplace_id, 'disputes', 'overdue', '', 1 from overdue
    union all
    select marketplace_id, 'disputes', 'open', '', -1 from resolved
    union all
    select marketplace_id, 'disputes', 'overdue', '', -1 from resolved where is_overdue
  ),
  summed as (
    insert into summary_counts (${counts.columns})
    select changes.marketplace_id, changes.counter, changes.label, changes.currency, sum(changes.value)
    from counted
    cross join changes
    group by changes.marketplace_id, changes.counter, changes.label, changes.currency
    order by 1, 2, 3, 4
    on conflict (marketplace_id, counter, label, currency) do update
    set value = summary_counts.value + excluded.value
  )
  select position from counted`;

export type MovedUntil = { readonly from: CountedUntil; readonly until: CountedUntil };

/** Returns one row, or none if another process has counted the batch. */
export function writeSummary({ from, until: to }: MovedUntil, changes: SummaryChanges): BoundStatement {
  const values = [
    ...until.valuesOf([{ ...to, seenPosition: from.position, seenAuditPosition: from.auditPosition }]),
    ...counts.valuesOf(changes.counts),
    ...created.valuesOf(changes.createdEscrows),
    ...moved.valuesOf(changes.movedEscrows),
    ...opened.valuesOf(changes.opened),
    changes.closedOrderIds,
    changes.overdueDisputeIds,
    changes.resolvedDisputeIds,
  ];
  return { name: 'write-summary', text: writeText, values };
}

export type CountedRow = Omit<CountRow, 'marketplaceId' | 'value'> & { readonly value: string };

/** The counters of a marketplace; counters by day are limited to the period. */
export const readSummary = {
  name: 'read-summary',
  text: `
  select counter,
    label,
    currency,
    value::text as value
  from summary_counts
  where marketplace_id = $1
    and counter <> all($4::text[])
  union all
  select counter,
    label,
    currency,
    value::text
  from summary_counts
  where marketplace_id = $1
    and counter = any($4::text[])
    and label >= $2
    and label < $3
  order by counter,
    label,
    currency`,
};

export type UncountedRow = {
  readonly countedSince: Instant | null;
  readonly uncountedSince: Instant | null;
  readonly failingEndpoints: number;
};

/** Since when events are counted, when the first event or audit entry was logged that is not counted yet, and how many endpoints are failing. */
export const readUncounted = {
  name: 'read-uncounted',
  text: `
  select counted_since as "countedSince",
    least(
      (
        select min(appended_at)
        from events
        where events.position = summary_position.position + 1
      ),
      (
        select occurred_at
        from audit_entries
        where audit_entries.position = summary_position.audit_position + 1
      )
    ) as "uncountedSince",
    (
      select count(*)::integer
      from webhook_endpoints
      where marketplace_id = $1
        and failing_since is not null
        and status = 'ENABLED'
        and deleted_at is null
    ) as "failingEndpoints"
  from summary_position`,
};
