-- compatible since 0002
-- The filters of the list of events, in its order.
create index events_of_aggregate on events (marketplace_id, aggregate_id, occurred_at);

create index events_of_type on events (marketplace_id, event_type, occurred_at);

-- The numbers of GET /summary. They are counted from the log and the audit trail, and outlive the events.
-- One row: up to where both were counted. It moves in the commit that changes the counters.
create table summary_position (
  is_only boolean primary key default true check (is_only),
  position bigint not null,
  audit_position bigint not null,
  -- The first event that was still in the log when counting began; null if no older one had been dropped. The audit trail is always whole.
  counted_since timestamptz
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

insert into summary_position (position, audit_position, counted_since)
select 0,
  0,
  case when min(position) > 1 then min(occurred_at) end
from events;

revoke insert, delete on summary_position from holdfast_notifications_app;

-- One row per number. The label is a status or a day, the currency is empty for plain counts. Sums of balances may be above any bigint.
create table summary_counts (
  marketplace_id text not null,
  counter text not null,
  label text not null,
  currency text not null,
  value numeric not null,
  primary key (marketplace_id, counter, label, currency)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- What each order has in escrow. An order that is closed has no row.
create table counted_escrows (
  order_id text primary key,
  marketplace_id text not null,
  currency text not null,
  units bigint not null
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- The disputes that are not resolved.
create table counted_disputes (
  dispute_id text primary key,
  marketplace_id text not null,
  is_overdue boolean not null
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
