-- compatible since 0001
-- One row: the fencing token of the appending process, and the ends of the log and of the audit trail. Every append locks this row
-- first, so appends are serialised, and positions have the order of their commits.
create table appender (
  is_only boolean primary key default true check (is_only),
  -- The fencing token. A process that becomes the appender increments it; an append with an older token writes nothing.
  token bigint not null,
  last_position bigint not null,
  audit_position bigint not null,
  audit_hash text not null,
  audit_batch bigint not null,
  audit_seal text not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

insert into appender (token, last_position, audit_position, audit_hash, audit_batch, audit_seal)
values (0, 0, 0, '', 0, '');

-- The log. Positions count without gaps over all marketplaces. The log is partitioned by the day of the append: `occurred_at` of a
-- late event may lie in a partition that was dropped already.
create table events (
  position bigint not null,
  appended_at timestamptz not null,
  marketplace_id text not null,
  -- The timestamp on the stream. It increases strictly with the position within a marketplace.
  occurred_at timestamptz not null,
  event_id text not null,
  event_type text not null,
  aggregate_type text not null,
  -- The envelope as the stream shows it, in one line of JSON. The type is text because no statement reads its content.
  envelope text not null,
  primary key (position, appended_at)
) partition by range (appended_at);

create index events_replayed on events (marketplace_id, occurred_at);

-- For an audit entry that is appended after the event that it reports, and shows the timestamp of that event.
create index events_by_id on events (event_id);

-- The last occurred_at shown to each marketplace, and the timestamp of its last event that retention has dropped.
create table marketplace_clocks (
  marketplace_id text primary key,
  last_occurred_at timestamptz not null,
  history_dropped_until timestamptz
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- The highest version in the log of each aggregate.
create table aggregate_heads (
  aggregate text primary key,
  version bigint not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- API keys whose secrets ended, for processes that missed the notification.
create table key_changes (
  position bigint generated always as identity primary key,
  api_key_id text not null,
  changed_at timestamptz not null
);

create index key_changes_changed_at on key_changes (changed_at);

-- Each entry carries the hash of its content and of the entry before it.
create table audit_entries (
  position bigint primary key,
  id text not null unique,
  marketplace_id text not null,
  occurred_at timestamptz not null,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  -- Further resources that the entry is about, such as the order of a dispute.
  related_ids text[] not null,
  actor_type text not null,
  actor_id text not null,
  result text not null check (result in ('SUCCESS', 'FAILURE')),
  reason text,
  -- JSON. The type is text because the hash is computed from the text.
  before text,
  after text,
  request_id text,
  hash text not null
) with (autovacuum_analyze_scale_factor = 0.02);

-- One index for each filter of the list, in the order of the list.
create index audit_entries_listed on audit_entries (marketplace_id, occurred_at, id);

create index audit_entries_of_action on audit_entries (marketplace_id, action, occurred_at, id);

create index audit_entries_of_resource_type on audit_entries (marketplace_id, resource_type, occurred_at, id);

create index audit_entries_of_resource on audit_entries (marketplace_id, resource_id, occurred_at, id);

create index audit_entries_of_related on audit_entries using gin (related_ids)
  where related_ids <> '{}';

create index audit_entries_of_actor on audit_entries (marketplace_id, actor_id, occurred_at, id);

-- Nearly all entries are successes, so a filter by SUCCESS is served by audit_entries_listed.
create index audit_entries_of_failures on audit_entries (marketplace_id, occurred_at, id)
  where result = 'FAILURE';

-- One seal per commit: an HMAC over its entries, with a key that is not in the database.
create table audit_seals (
  batch bigint primary key,
  first_position bigint not null,
  last_position bigint not null check (last_position >= first_position),
  last_hash text not null,
  sealed_at timestamptz not null,
  seal text not null
);

-- The log and the audit trail are append-only for the serving role.
revoke update, delete on events, audit_entries, audit_seals from holdfast_notifications_app;

revoke insert, delete on appender from holdfast_notifications_app;

-- The serving role may not create tables, so functions of the owner create and drop the partitions. A partition has a name like
-- events_20260131 and only the owner may access it; the serving role reads and inserts through the table `events`.
create function create_event_partition(day date) returns void
language plpgsql
security definer
set search_path = notifications, pg_temp
set timezone = 'UTC'
as $$
declare
  partition_name text := 'events_' || to_char(day, 'YYYYMMDD');
begin
  if day is null or not isfinite(day) then
    raise exception 'A partition needs a day.' using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('holdfast:event-partitions:notifications', 0));
  if to_regclass(partition_name) is null then
    execute format('create table %I partition of events for values from (%L) to (%L)', partition_name, day, day + 1);
    execute format('revoke all on %I from holdfast_notifications_app', partition_name);
  end if;
end
$$;

-- Also records for each marketplace up to which timestamp its history was dropped. Only past days can be dropped, so no event is
-- added between the select and the drop, and the exclusive lock on `events` is short.
create function drop_event_partition(day date) returns void
language plpgsql
security definer
set search_path = notifications, pg_temp
set timezone = 'UTC'
as $$
declare
  partition_name text := 'events_' || to_char(day, 'YYYYMMDD');
  marketplace_ids text[];
  last_moments timestamptz[];
begin
  if day is null or not isfinite(day) or day >= current_date then
    raise exception 'Only a day that is over can be dropped.' using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('holdfast:event-partitions:notifications', 0));
  if to_regclass(partition_name) is null then
    return;
  end if;
  select array_agg(marketplace_id), array_agg(last_moment)
  into marketplace_ids, last_moments
  from (
    select marketplace_id, max(occurred_at) as last_moment
    from events
    where appended_at >= day
      and appended_at < day + 1
    group by marketplace_id
  ) as dropped;
  lock table events in access exclusive mode;
  update marketplace_clocks
  set history_dropped_until = greatest(history_dropped_until, dropped.last_moment)
  from unnest(marketplace_ids, last_moments) as dropped (marketplace_id, last_moment)
  where marketplace_clocks.marketplace_id = dropped.marketplace_id;
  execute format('drop table %I', partition_name);
end
$$;

revoke execute on function create_event_partition, drop_event_partition from public;

grant execute on function create_event_partition, drop_event_partition to holdfast_notifications_app;
