-- compatible since 0001
-- The timeline of an order. Both columns are written once, so that updates stay heap-only.
create index saga_runs_of_aggregate on saga_runs (aggregate_id, begun_at);

create index timers_of_order on timers (order_id);
