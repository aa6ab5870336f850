-- What every service needs to tell, to hear and to wait. Applied into each service's own schema.

-- One row per transaction holds all messages of that commit: one insert and one delete, however many messages a batch has.
-- Rows are deleted once published. The table is a queue, not a history: an update in place of the delete would leave a dead
-- row as well, and a second one when the row is cleared away later.
create table outbox (
  id bigint generated always as identity primary key,
  -- A JSON array of envelopes. Text, because the database never looks inside.
  messages text not null,
  created_at timestamptz not null default now(),
  -- Until then the process that committed the row, or the sweeper that took it over, is expected to publish it.
  available_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Rows live for milliseconds: compressing them would cost more than it saves.
alter table outbox alter column messages set storage external;

create index outbox_available_at on outbox (available_at);

-- A message that was heard, noted in the transaction of its effect.
create table inbox (
  consumer text not null,
  message_id text not null,
  heard_at timestamptz not null default now(),
  primary key (consumer, message_id)
);

-- Only the pruning job asks by time; a block range index costs the inserts next to nothing.
create index inbox_heard_at on inbox using brin (heard_at);

-- A saga in the service that began it: open until the consumer that ends it writes the outcome.
create table saga_runs (
  id text primary key,
  saga text not null,
  aggregate_id text not null,
  marketplace_id text not null,
  correlation_id text not null,
  begun_at timestamptz not null default now(),
  closed_at timestamptz,
  outcome jsonb,
  check ((closed_at is null) = (outcome is null))
);

create index saga_runs_open on saga_runs (begun_at)
  where closed_at is null;

create index saga_runs_closed_at on saga_runs using brin (closed_at);
