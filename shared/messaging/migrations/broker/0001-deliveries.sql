-- compatible since 0001
-- The queues of the in-process driver: one row per queue and message, from the publish until it is handled or parked.
create table deliveries (
  queue text not null,
  message_id text not null,
  -- The order of publishing; publishing again changes it. Delivery follows it approximately; no handler may rely on it.
  position bigint generated always as identity,
  type text not null,
  -- Text, because a body that is not valid JSON must be stored unchanged.
  body text not null,
  -- How often a handler has failed.
  attempts integer not null default 0 check (attempts >= 0),
  -- When a consumer may lease the row: at once, after the delay of a retry, or when the current lease expires.
  available_at timestamptz not null default now(),
  primary key (queue, message_id)
) with (
  -- Rows live for milliseconds, so vacuum is triggered by the number of dead rows and not by their share of the table.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 5000
);

create index deliveries_due on deliveries (queue, available_at, position);
