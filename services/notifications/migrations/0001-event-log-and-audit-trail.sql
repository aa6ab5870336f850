-- One row: who may append, and where the log and the audit trail end. Every append locks it first, so appends happen one after
-- the other, and positions have the order of their commits.
create table appender (
  is_only boolean primary key default true check (is_only),
  -- Whoever becomes the appender raises it; an append under an older one is refused.
  token bigint not null,
  last_position bigint not null,
  audit_position bigint not null,
  audit_hash text not null,
  audit_batch bigint not null,
  audit_seal text not null
) with (fillfactor = 50);

insert into appender (token, last_position, audit_position, audit_hash, audit_batch, audit_seal)
values (0, 0, 0, '', 0, '');

-- The log. Positions count without gaps over all marketplaces. The day of the append decides the partition, and not
-- `occurred_at`, which for a late event may be long ago: a partition goes as a whole.
create table events (
  position bigint not null,
  appended_at timestamptz not null,
  marketplace_id text not null,
  -- As shown on the stream: it increases strictly with the position within a marketplace.
  occurred_at timestamptz not null,
  event_id text not null,
  event_type text not null,
  aggregate_type text not null,
  -- The whole envelope as it is shown, in one line of JSON. Text, because the database never looks inside.
  envelope text not null,
  primary key (position, appended_at)
) partition by range (appended_at);

create index events_replayed on events (marketplace_id, occurred_at);

-- The last moment shown to each marketplace, and until where its history has been dropped.
create table marketplace_clocks (
  marketplace_id text primary key,
  last_occurred_at timestamptz not null,
  forgotten_until timestamptz
) with (fillfactor = 70);

-- The last version seen of whatever is numbered without gaps.
create table aggregate_heads (
  aggregate text primary key,
  version bigint not null
) with (fillfactor = 70);

-- API keys whose secrets ended, for replicas that missed the hint.
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
  actor_type text not null,
  actor_id text not null,
  result text not null check (result in ('SUCCESS', 'FAILURE')),
  reason text,
  -- As it was told: json keeps its text, jsonb does not, and the hash is taken of the text.
  before json,
  after json,
  request_id text,
  hash text not null
);

create index audit_entries_listed on audit_entries (marketplace_id, occurred_at, id);

create index audit_entries_of_resource on audit_entries (marketplace_id, resource_id, occurred_at, id);

create index audit_entries_of_actor on audit_entries (marketplace_id, actor_id, occurred_at, id);

create index audit_entries_of_action on audit_entries (marketplace_id, action, occurred_at, id);

-- The entries of one commit, sealed with a key that the database does not have.
create table audit_seals (
  batch bigint primary key,
  first_position bigint not null,
  last_position bigint not null check (last_position >= first_position),
  last_hash text not null,
  sealed_at timestamptz not null,
  seal text not null
);
