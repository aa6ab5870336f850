-- One row per queue and message, from the publish until the handler has succeeded. Parked ones wait for a person.
-- The body is text and not JSON, because a message that cannot be read must be kept as it came.
create table deliveries (
  queue text not null,
  message_id text not null,
  type text not null,
  body text not null,
  attempts integer not null default 0 check (attempts >= 0),
  available_at timestamptz not null,
  parked_at timestamptz,
  reason text,
  primary key (queue, message_id),
  check ((parked_at is null) = (reason is null))
) with (
  -- Rows live for milliseconds: what counts is how many died, not which share of the table that is.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 10000,
  autovacuum_vacuum_insert_threshold = -1
);

create index deliveries_due on deliveries (queue, available_at) where parked_at is null;
create index deliveries_parked on deliveries (queue, parked_at) where parked_at is not null;
