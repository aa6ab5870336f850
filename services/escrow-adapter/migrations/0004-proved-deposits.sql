-- compatible since 0001
-- Transactions of others that the network's history has shown, until the network's RPC proves them.
create table claimed_transactions (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  ledger integer not null,
  -- Its legs, claims and deposits, as JSON.
  content text not null,
  -- The owners of the wallets that it names.
  user_ids text[] not null,
  seen_at timestamptz not null default now(),
  attempts integer not null default 0,
  try_at timestamptz not null default now(),
  -- When a case was opened, because nothing had proved it in time. It is not tried again.
  given_up_at timestamptz
);

create index claimed_transactions_open on claimed_transactions (try_at)
  where given_up_at is null;

-- Payments into wallets that were proved. Each is credited by one message.
create table deposits (
  -- The ledger operation; numbered where one operation paid several times.
  operation_id text primary key,
  user_id text not null references wallets (user_id),
  marketplace_id text not null,
  asset text not null check (asset in ('USDC', 'XLM')),
  units bigint not null check (units > 0),
  -- The currency that it is credited in.
  currency text not null,
  transaction_hash text not null check (transaction_hash ~ '^[0-9a-f]{64}$'),
  landed_at timestamptz not null,
  -- The message that credits it. Null while it is too small to be credited alone: small ones are credited together.
  message_id text
);

create index deposits_by_message on deposits (message_id);

create index deposits_by_user on deposits (user_id);

create index deposits_too_small on deposits (user_id, asset)
  where message_id is null;

-- Transfers out of accounts of the platform that a person has announced, so that they are no unknown outflows.
create table expected_transfers (
  id bigint generated always as identity primary key,
  receiver text not null,
  asset text not null check (asset in ('USDC', 'XLM')),
  units bigint not null check (units > 0),
  reason text not null,
  announced_by text not null,
  announced_at timestamptz not null,
  -- Null while a second person has to confirm it.
  confirmed_by text,
  -- The transaction that has made it.
  transaction_hash text
);

create index expected_transfers_open on expected_transfers (receiver, asset, units)
  where transaction_hash is null;
