-- compatible since 0002
-- One row: the position up to which the log was read for deliveries. It stands still while no endpoint is enabled.
create table webhook_fan_out (
  is_only boolean primary key default true check (is_only),
  position bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

insert into webhook_fan_out (position)
select last_position
from appender;

create table webhook_endpoints (
  id text primary key,
  marketplace_id text not null,
  url text not null,
  -- Event types, or such as order.*; empty means all.
  types text[] not null,
  description text,
  ordering text not null check (ordering in ('aggregate', 'none')),
  status text not null check (status in ('ENABLED', 'DISABLED')),
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  previous_valid_until timestamptz,
  -- The first failure since the last success, and the same time once it is shown.
  failed_since timestamptz,
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('BY_HAND', 'GONE', 'FAILING')),
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version bigint not null,
  -- Only events after this position get deliveries when the log is read.
  fan_out_after bigint not null,
  -- Enabling with a replay goes back to this position at most.
  replay_after bigint not null,
  -- When the next delivery is due; null where none waits.
  due_at timestamptz,
  -- The process that delivers holds a lease; the token counts its holders.
  lease_token bigint not null default 0,
  leased_until timestamptz,
  check ((previous_secret_sealed is null) = (previous_valid_until is null)),
  check ((status = 'DISABLED') = (disabled_at is not null)),
  check ((disabled_at is null) = (disabled_reason is null))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

create index webhook_endpoints_listed on webhook_endpoints (marketplace_id, created_at, id)
  where deleted_at is null;

create index webhook_endpoints_enabled on webhook_endpoints (marketplace_id)
  where status = 'ENABLED' and deleted_at is null;

create index webhook_endpoints_due on webhook_endpoints (due_at)
  where due_at is not null;

create table webhook_deliveries (
  id text primary key,
  endpoint_id text not null references webhook_endpoints,
  marketplace_id text not null,
  event_id text not null,
  event_type text not null,
  aggregate_type text not null,
  aggregate_id text not null,
  -- The event in the log; a test event is not in the log and has a body of its own.
  position bigint not null,
  event_appended_at timestamptz,
  body text,
  -- Replays, resends and tests are a second queue of the endpoint.
  is_replay boolean not null,
  status text not null check (status in ('PENDING', 'RETRYING', 'DELIVERED', 'EXHAUSTED', 'CANCELED')),
  attempts integer not null default 0,
  -- Null once it has ended, and while it waits for an earlier delivery of its aggregate.
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null,
  attempt_log jsonb not null default '[]',
  check ((event_appended_at is null) <> (body is null)),
  check ((status = 'DELIVERED') = (delivered_at is not null)),
  check (status in ('PENDING', 'RETRYING') or next_attempt_at is null)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- Workers read these two, which have only deliveries that have not ended.
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, is_replay, next_attempt_at, position)
  where next_attempt_at is not null;

create index webhook_deliveries_open on webhook_deliveries (endpoint_id, is_replay, aggregate_type, aggregate_id, position)
  where status in ('PENDING', 'RETRYING');

-- One index for each filter of the list, in the order of the list where a filter finds many.
create index webhook_deliveries_listed on webhook_deliveries (marketplace_id, created_at, id);

create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, created_at, id);

create index webhook_deliveries_of_event on webhook_deliveries (event_id);

create index webhook_deliveries_of_aggregate on webhook_deliveries (aggregate_id);

-- Nearly all deliveries are DELIVERED, so a filter by that status is served by webhook_deliveries_listed.
create index webhook_deliveries_of_status on webhook_deliveries (marketplace_id, status, created_at, id)
  where status <> 'DELIVERED';
