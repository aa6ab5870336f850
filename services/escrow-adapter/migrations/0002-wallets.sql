-- The account on the ledger network that is held for a user. Its seed is encrypted under a key of its own, and that key
-- under the master key with this id.
create table wallets (
  user_id text primary key,
  id text not null unique,
  marketplace_id text not null,
  address text not null unique,
  sealed_seed bytea not null,
  wrapped_key bytea not null,
  master_key_id text not null,
  created_at timestamptz not null,
  -- When the network was known to have the account with its line of trust.
  activated_at timestamptz,
  -- When it was last looked at for tokens that are not the user's own.
  swept_at timestamptz not null default '-infinity'
) with (fillfactor = 80);

create index wallets_waiting on wallets (created_at)
  where activated_at is null;

create index wallets_by_master_key on wallets (master_key_id, user_id);

-- What all movements told so far add up to: what the books of custody say a wallet holds.
create table wallet_holdings (
  user_id text not null references wallets (user_id),
  asset text not null check (asset in ('USDC', 'XLM')),
  units bigint not null,
  primary key (user_id, asset)
) with (fillfactor = 80);

-- Every transaction that touched an account of ours and was told to the ledger: once.
create table told_transactions (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  told_at timestamptz not null default now()
);

-- How far the network's history was read. It moves in the commit that tells what was read, and never ahead of it.
create table feed_cursors (
  name text primary key,
  cursor text not null
);

-- Transactions of our own that have landed and were not told yet; only where the network's whole history is too much to read.
create table untold_transactions (
  hash text primary key,
  landed_at timestamptz not null default now()
);

create index untold_transactions_landed on untold_transactions (landed_at);
