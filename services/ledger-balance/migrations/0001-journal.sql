-- Users as this service has consumed them from identity. Nobody else has a balance.
create table users (
  id text primary key,
  marketplace_id text not null,
  type text not null check (type in ('BUYER', 'SELLER', 'BOTH')),
  status text not null check (status in ('ACTIVE', 'SUSPENDED')),
  -- The latest version of the user that was consumed. An older one never overwrites a newer one.
  version bigint not null,
  received_at timestamptz not null
);

-- One row per owner and currency. Users have two parts, escrow accounts only the first.
-- Platform, external and chain accounts are shared by everybody: they are never locked and carry no balance here.
-- Chain accounts say where tokens are on the ledger network, in journal currencies of their own (chain:USDC, chain:XLM).
create table accounts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('user', 'escrow', 'platform', 'external', 'chain')),
  owner text not null,
  currency text not null,
  available_units bigint not null default 0 check (available_units >= 0),
  reserved_units bigint not null default 0 check (reserved_units >= 0),
  -- Counts the public events about the account, so that readers can put them in order.
  version integer not null default 0,
  updated_at timestamptz not null,
  unique (owner, currency, kind),
  check (kind = 'user' or reserved_units = 0),
  check (available_units + reserved_units <= 9000000000000000000)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- One movement of money, concerning at most one user. Immutable, like its legs.
-- Transfers and legs have no foreign keys: they would cost more than the rest of a posting. Each posting names only rows that
-- it has just locked or created, and the proof of the books checks the references together with the sums.
create table transfers (
  id text primary key,
  -- What made it happen, once: a message, an operation id, or an id that the request was given before its first try.
  cause text not null unique,
  type text not null,
  marketplace_id text not null,
  -- The user's account with the balances that the transfer left, and its place among the account's transfers.
  account_id bigint,
  units bigint,
  available_units bigint,
  reserved_units bigint,
  account_version integer,
  order_id text,
  reference text,
  -- Credits and debits with a reference are idempotent per user and reference.
  reference_key text,
  description text,
  created_at timestamptz not null
) with (autovacuum_analyze_scale_factor = 0.02);

create unique index transfers_reference_key on transfers (reference_key) where reference_key is not null;

create unique index transfers_history on transfers (account_id, account_version) where account_id is not null;

-- The legs of a transfer sum to zero.
create table legs (
  transfer_id text not null,
  account_id bigint not null,
  part text not null check (part in ('available', 'reserved')),
  units bigint not null check (units <> 0),
  -- What the transfer left on this part; null on shared accounts, which carry no running balance.
  balance_units bigint
) with (autovacuum_analyze_scale_factor = 0.02);

-- Transfer ids grow with time, so a block range index finds a transfer's legs at almost no cost to writing them.
create index legs_transfer on legs using brin (transfer_id) with (pages_per_range = 16, autosummarize = on);

-- Which part of a reserved balance belongs to which order or withdrawal, or was reserved by hand.
create table reservations (
  id text primary key,
  account_id bigint not null,
  kind text not null check (kind in ('order', 'manual', 'withdrawal')),
  subject_id text,
  active_units bigint not null check (active_units >= 0),
  reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((kind = 'manual') = (subject_id is null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

create index reservations_active on reservations (account_id, kind, subject_id, id) where active_units > 0;

create index reservations_subject on reservations (subject_id) where subject_id is not null;

-- What each chain account holds: the sum of its legs, kept so that nobody has to add them up. Below zero for the world
-- outside, and for a moment wherever messages overtake each other.
create table custody_balances (
  account_id bigint primary key,
  units bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- The journal is written once, and accounts are never deleted.
revoke update, delete on transfers, legs from holdfast_ledger_balance_app;

revoke delete on users, accounts, reservations, custody_balances from holdfast_ledger_balance_app;
