-- What every service needs to publish, to consume and to wait for a saga. Applied to each service's own schema.

-- One row per transaction holds all messages of that commit: one insert and one delete, however many messages there are. Rows
-- are deleted once published: the table is a queue, not a history.
create table outbox (
  id bigint generated always as identity primary key,
  -- A JSON array of envelopes. Text, because the database never looks inside.
  messages text not null,
  created_at timestamptz not null default now(),
  -- Until then the process that committed the row, or the sweeper that took it over, is expected to publish it.
  available_at timestamptz not null
) with (
  -- Rows live for milliseconds, so the number of dead rows counts, not their share of the table.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 5000,
  -- Most rows have two to eight thousand bytes and stay in their page instead of going to the TOAST table.
  toast_tuple_target = 8160
);

create index outbox_available_at on outbox (available_at);

-- Not compressed, because the row is gone in a moment; without statistics, because no plan depends on its content.
alter table outbox alter column messages set storage external;
alter table outbox alter column messages set statistics 0;

-- The messages that a consumer has handled, each noted in the transaction of its effect.
create table inbox (
  consumer text not null,
  message_id text not null,
  handled_at timestamptz not null default now(),
  primary key (consumer, message_id)
) with (
  autovacuum_analyze_scale_factor = 0.02,
  autovacuum_analyze_threshold = 5000
);

-- Only the pruning job asks by time; a block range index costs the inserts next to nothing.
create index inbox_handled_at on inbox using brin (handled_at);

-- A saga in the service that started it: open until the consumer that ends it writes the outcome.
create table saga_runs (
  id text primary key,
  saga text not null,
  aggregate_id text not null,
  marketplace_id text not null,
  correlation_id text not null,
  -- The reply queue of the process whose request waits: whoever closes or answers the run sends a notification there.
  reply_queue text,
  begun_at timestamptz not null default now(),
  closed_at timestamptz,
  outcome jsonb,
  -- The response to the request where the saga goes on after it: the run itself stays open.
  early_response jsonb,
  check ((closed_at is null) = (outcome is null))
) with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0.02,
  autovacuum_analyze_threshold = 1000
);

create index saga_runs_open on saga_runs (begun_at)
  where closed_at is null;

create index saga_runs_closed_at on saga_runs using brin (closed_at);

-- No plan depends on the content of the documents.
alter table saga_runs alter column outcome set statistics 0;
alter table saga_runs alter column early_response set statistics 0;
