-- compatible since 0001
-- The users of each marketplace, copied from the messages of identity. Only these users can have a balance.
create table users (
  id text primary key,
  marketplace_id text not null,
  type text not null check (type in ('BUYER', 'SELLER', 'BOTH')),
  status text not null check (status in ('ACTIVE', 'SUSPENDED')),
  -- The latest consumed version of the user. An older version never overwrites a newer one.
  version bigint not null,
  received_at timestamptz not null
);

-- One row per owner and currency. User accounts have an available and a reserved part, escrow accounts only an available one.
-- Platform, external and chain accounts are shared by all users: they are never locked and have no balance here.
-- Chain accounts record where tokens are on the ledger network, in separate journal currencies (chain:USDC, chain:XLM).
create table accounts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('user', 'escrow', 'platform', 'external', 'chain')),
  owner text not null,
  currency text not null,
  available_units bigint not null default 0 check (available_units >= 0),
  reserved_units bigint not null default 0 check (reserved_units >= 0),
  -- Counts the public events about the account, so that consumers can order them.
  version integer not null default 0,
  updated_at timestamptz not null,
  unique (owner, currency, kind),
  check (kind = 'user' or reserved_units = 0),
  check (available_units + reserved_units <= 9000000000000000000)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- One movement of money that concerns at most one user. Transfers and legs are immutable.
-- They have no foreign keys, because checking them would cost more than all other work of a posting. A posting refers only to rows
-- that its transaction has locked or created, and the ledger check verifies the references along with the sums.
create table transfers (
  id text primary key,
  -- Makes the transfer idempotent: the ledger operation of a deposit, a message id, an operation id, or an id that the request got
  -- before its first attempt.
  cause text not null unique,
  type text not null,
  marketplace_id text not null,
  -- The user's account with what the transfer changed, the balances after it, and its position in the account's history.
  account_id bigint,
  available_change_units bigint,
  reserved_change_units bigint,
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

-- The history of an account and its balance at a moment. No transfer is dated before the account's previous one.
create unique index transfers_history on transfers (account_id, created_at, account_version) where account_id is not null;

-- The legs of a transfer sum to zero.
create table legs (
  transfer_id text not null,
  account_id bigint not null,
  part text not null check (part in ('available', 'reserved')),
  units bigint not null check (units <> 0),
  -- The balance of this part after the transfer. Null on shared accounts, which have no running balance.
  balance_units bigint
) with (autovacuum_analyze_scale_factor = 0.02);

-- Transfer ids grow with time, so a block range index finds the legs of a transfer and costs almost nothing on insert.
create index legs_transfer on legs using brin (transfer_id) with (pages_per_range = 16, autosummarize = on);

-- Sums the accounts without a running balance from the index alone: payments compares them with its provider.
create index legs_without_balance on legs (account_id) include (units) where balance_units is null;

-- The parts of a reserved balance: for an order, for a withdrawal, or manual.
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

-- The balance of each chain account: the sum of its legs, stored so that reads need no aggregation. It is negative for the outside
-- world, and temporarily for any account whose messages arrive out of order.
create table custody_balances (
  account_id bigint primary key,
  units bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- The journal is append-only, and accounts are never deleted.
revoke update, delete on transfers, legs from holdfast_ledger_balance_app;

revoke delete on users, accounts, reservations, custody_balances from holdfast_ledger_balance_app;
