-- Users as this service has heard of them. A balance exists for nobody else.
create table users (
  id text primary key,
  marketplace_id text not null,
  status text not null check (status in ('ACTIVE', 'SUSPENDED')),
  -- The version of the user that was heard last: older news never overwrites newer.
  version bigint not null,
  heard_at timestamptz not null
);

-- One row per book and currency. Users have two parts, escrow accounts only the first.
-- Platform and external accounts are shared by everybody: never locked, no running balance, summed by verification.
create table accounts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('user', 'escrow', 'platform', 'external')),
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
) with (fillfactor = 50);

-- One movement of money, concerning at most one user. Immutable, like its legs.
-- Neither table has foreign keys: they would cost more than all the rest of a posting, the one statement that writes here
-- names only rows it has just locked or made, and verification proves the references together with the sums.
create table transfers (
  id text primary key,
  -- What made it happen, once: a message or an operation. Null where nothing could repeat it.
  cause text,
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
);

create unique index transfers_cause on transfers (cause) where cause is not null;

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
);

-- Transfer ids grow with time, so a block-range index finds a transfer's legs at almost no cost to writing them.
create index legs_transfer on legs using brin (transfer_id) with (pages_per_range = 16, autosummarize = on);

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
) with (fillfactor = 80);

create index reservations_active on reservations (account_id, kind, subject_id, id) where active_units > 0;

create index reservations_subject on reservations (subject_id) where subject_id is not null;
