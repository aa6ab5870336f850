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

create table transfers (
  id text primary key,
  -- What made it happen, once: a message id, an operation id, or an id of its own.
  cause text not null unique,
  type text not null,
  marketplace_id text not null,
  order_id text,
  reference text,
  -- Credits and debits with a reference are idempotent per user and reference.
  reference_key text,
  description text,
  created_at timestamptz not null
);

create unique index transfers_reference_key on transfers (reference_key) where reference_key is not null;

-- Immutable. The legs of a transfer sum to zero per currency.
create table legs (
  account_id bigint not null references accounts,
  transfer_id text not null references transfers,
  part text not null check (part in ('available', 'reserved')),
  units bigint not null check (units <> 0),
  -- The account right after this leg; null on shared accounts.
  available_units bigint,
  reserved_units bigint,
  -- One leg per transfer and user stands in the user's history.
  is_listed boolean not null
);

create index legs_history on legs (account_id, transfer_id desc) where is_listed;

create index legs_transfer on legs using brin (transfer_id);

create table reservations (
  id text primary key,
  account_id bigint not null references accounts,
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
