-- compatible since 0001
-- The outbox, the inbox and the saga runs of a service. Applied to the schema of each service.

-- One row holds all messages of a transaction, so that a commit costs one insert and one delete. Rows are deleted once published.
create table outbox (
  id bigint generated always as identity primary key,
  -- A JSON array of envelopes. Text, because no statement reads its content.
  messages text not null,
  created_at timestamptz not null default now(),
  -- The end of the lease of the process that committed the row, or of the sweeper that took it over.
  available_at timestamptz not null
) with (
  -- Rows live for milliseconds, so vacuum is triggered by the number of dead rows and not by their share of the table.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 5000,
  -- Most rows have two to eight kilobytes; this target stores them in the page instead of the TOAST table.
  toast_tuple_target = 8160
);

create index outbox_available_at on outbox (available_at);

-- Not compressed, because rows are short-lived; without statistics, because no query filters by it.
alter table outbox alter column messages set storage external;
alter table outbox alter column messages set statistics 0;

-- The messages that a consumer has handled. Each row is inserted in the transaction of the message's effect.
create table inbox (
  consumer text not null,
  message_id text not null,
  handled_at timestamptz not null default now(),
  -- A JSON array of the envelopes that the handling published, so that they can be published again when the message comes again.
  -- Text, because no statement reads its content. Null where the consumer stores no replies.
  replies text,
  primary key (consumer, message_id)
) with (
  autovacuum_analyze_scale_factor = 0.02,
  autovacuum_analyze_threshold = 5000
);

-- Only the pruning job filters by time, and a BRIN index costs inserts almost nothing.
create index inbox_handled_at on inbox using brin (handled_at);

alter table inbox alter column replies set statistics 0;

-- The messages of this service's queue that no retry helped. A row waits for an operator, and is deleted once its message is handled.
create table parked_messages (
  message_id text primary key,
  type text not null,
  -- Bytes, because a body that cannot be parsed must be stored unchanged.
  body bytea not null,
  -- How often a handler has failed.
  attempts integer not null check (attempts >= 0),
  reason text not null,
  parked_at timestamptz not null default clock_timestamp(),
  -- When an operator has sent the message back to the queue. It is parked until it is handled.
  redriven_at timestamptz
);

-- The saga runs whose commands this service refuses, because they were aborted before they arrived. Rows are few and never deleted.
create table aborted_runs (
  saga_run_id text primary key,
  -- A JSON array of the envelopes that were published. They are published again when the late command arrives.
  replies text not null,
  aborted_at timestamptz not null default now()
);

-- The saga runs that this service has started. A run is open until a consumer stores its outcome.
create table saga_runs (
  id text primary key,
  saga text not null,
  aggregate_id text not null,
  marketplace_id text not null,
  correlation_id text not null,
  -- The reply queue of the process whose request waits. The process that closes the run sends a notification to it.
  reply_queue text,
  begun_at timestamptz not null default now(),
  closed_at timestamptz,
  outcome jsonb,
  -- The outcome for the waiting request when the saga continues after the response. The run stays open.
  early_response jsonb,
  -- How often the command was resent.
  attempts integer not null default 0 check (attempts >= 0),
  -- When the command of an open run is resent. Null if no retry helps, so that an operator must look.
  next_retry_at timestamptz,
  retry_stopped_reason text,
  -- When the abort of an open run is requested, and requested again. Null for a saga without a deadline.
  deadline_at timestamptz,
  check ((closed_at is null) = (outcome is null)),
  check ((next_retry_at is null) = (retry_stopped_reason is not null))
) with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0.02,
  autovacuum_analyze_threshold = 1000
);

create index saga_runs_open on saga_runs (begun_at)
  where closed_at is null;

create index saga_runs_due on saga_runs (next_retry_at)
  where closed_at is null;

create index saga_runs_overdue on saga_runs (deadline_at)
  where closed_at is null;

create index saga_runs_closed_at on saga_runs using brin (closed_at);

-- No query filters by the content of these documents.
alter table saga_runs alter column outcome set statistics 0;
alter table saga_runs alter column early_response set statistics 0;
