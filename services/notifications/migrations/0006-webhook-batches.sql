-- compatible since 0006
-- Events that are to be delivered to an endpoint and have no row in webhook_deliveries yet: one row for each pass over the log that found
-- some. It is deleted when each of its events has a delivery.
create table webhook_batches (
  endpoint_id text not null,
  first_position bigint not null,
  last_position bigint not null,
  -- The events, and when each was appended, because the log is partitioned by that.
  positions bigint[] not null,
  appended_at timestamptz[] not null,
  primary key (endpoint_id, first_position),
  check (cardinality(positions) > 0 and cardinality(positions) = cardinality(appended_at))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05);

-- Whoever inserts a delivery has locked its endpoint, so that it exists; checking it again for each row would cost as much as two indexes.
alter table webhook_deliveries drop constraint webhook_deliveries_endpoint_id_fkey;

-- The last lease that ended with nothing left to do. After any other one, events of a batch may have rows already.
alter table webhook_endpoints add column released_token bigint not null default 0;
