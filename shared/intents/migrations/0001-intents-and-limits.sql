-- compatible since 0001
-- Intents and leases of a service that calls a provider. Applied to its schema before its own migrations.

-- Work that a message requested and that must be completed even if a process dies. The id is that of the message.
create table intents (
  id text primary key,
  kind text not null,
  -- The id of what the intent acts on. A subject has at most one open intent.
  subject text not null,
  -- Lower numbers are claimed first.
  priority integer not null,
  marketplace_id text not null,
  correlation_id text not null,
  -- The saga and run of the requesting message; the replies name them.
  saga text,
  saga_run_id text,
  -- The public event that the event stream must show before the replies.
  after_event_id text,
  -- The span that requested the intent, as a W3C traceparent; null while tracing is off.
  traceparent text,
  -- When the message occurred. The ids of the replies begin with this time.
  requested_at timestamptz not null default now(),
  -- The payload of the message.
  payload jsonb not null,
  -- Values that the handler stores between runs.
  worker_state jsonb not null default '{}',
  -- Runs that did not close the intent.
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  lease_owner text,
  -- The fencing token counts the leases; a write with an older token is refused.
  lease_token integer not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  -- The messages that were published when the intent was closed; published again if the requesting message is redelivered.
  replies jsonb,
  check ((closed_at is null) = (replies is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

create unique index intents_open_subject on intents (subject)
  where closed_at is null;

-- An abort looks for the intent of its saga run.
create index intents_saga_run on intents (saga_run_id);

create index intents_due on intents (priority, due_at)
  where closed_at is null;

-- Only the pruning job filters by time, and a BRIN index costs inserts almost nothing.
create index intents_created_at on intents using brin (created_at);

-- Whether a person has stopped signing and payouts; no row means that nobody ever has.
create table emergency_stop (
  is_only_row boolean primary key default true check (is_only_row),
  is_stopped boolean not null,
  -- The version at identity. An older change never overwrites a newer one.
  version integer not null,
  changed_at timestamptz not null
);

-- What was spent under a cap. Rows older than the window of the cap are deleted.
create table spendings (
  cap text not null,
  -- What is paid, such as the id of an intent, so that a retry is not counted twice.
  cause text not null,
  units bigint not null check (units > 0),
  begun_at timestamptz not null,
  primary key (cap, cause)
);

create index spendings_begun on spendings (cap, begun_at);

-- Leases of named resources. The holder of a lost lease must do no harm, so the table is unlogged.
create unlogged table leases (
  name text primary key,
  token text not null,
  until timestamptz not null,
  -- Another process waits for the lease and goes first when it is released.
  has_waiter boolean not null default false
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- The calls that a provider accepts, over all processes. A lost row means a full bucket, so the table is unlogged, as are those below.
create unlogged table provider_budgets (
  name text primary key,
  -- A token bucket, as the time at which it was or will be empty. Each call moves it on by the time in which a token is refilled.
  empty_at timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- Calls that wait for a token. A row that its process has not renewed for a while is that of a dead process, and is deleted.
create unlogged table provider_calls_waiting (
  budget text not null,
  -- The same each time the call asks for its token.
  key text not null,
  -- Lower numbers go first.
  priority integer not null,
  -- Calls of a marketplace that was served longer ago go before those of others with the same priority.
  marketplace_id text not null,
  -- The tokens that must be there: more than one for the first call of an order, which is admitted as a whole.
  calls integer not null check (calls > 0),
  queued_at timestamptz not null,
  requested_at timestamptz not null,
  primary key (budget, key)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- When a call of the marketplace was last made.
create unlogged table provider_calls_served (
  budget text not null,
  marketplace_id text not null,
  served_at timestamptz not null,
  primary key (budget, marketplace_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- The calls that admitted orders still need.
create unlogged table provider_commitments (
  budget text not null,
  order_id text not null,
  calls integer not null check (calls >= 0),
  -- An order that makes no call for this long was abandoned.
  expires_at timestamptz not null,
  primary key (budget, order_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
