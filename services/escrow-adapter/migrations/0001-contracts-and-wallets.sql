-- compatible since 0001
-- A copy of the users that identity publishes.
create table users (
  id text primary key,
  marketplace_id text not null,
  type text not null check (type in ('BUYER', 'SELLER', 'BOTH')),
  status text not null check (status in ('ACTIVE', 'SUSPENDED')),
  version integer not null,
  received_at timestamptz not null
);

-- One row per contract that was requested. An order whose contract could not be created may request another one, with a new escrow.
create table contracts (
  escrow_id text primary key,
  order_id text not null,
  marketplace_id text not null,
  contract_type text not null check (contract_type in ('single-release', 'multi-release')),
  amount_units bigint not null check (amount_units > 0),
  currency text not null check (currency in ('USD', 'USDC', 'XLM')),
  buyer_id text not null,
  seller_id text not null,
  title text not null,
  description text not null,
  platform_fee_basis_points integer not null check (platform_fee_basis_points between 0 and 9900),
  -- [{ ref, title, units }], in the contract's order.
  milestones jsonb not null,
  status text not null check (status in ('REQUESTED', 'CREATED', 'FUNDED', 'SETTLED', 'FAILED')),
  -- Addresses on the ledger network, once they are known.
  buyer_address text,
  seller_address text,
  platform_address text,
  contract_id text unique,
  -- Changes of the contract that this service has caused or published, so they are not published as external changes.
  is_dispute_known boolean not null default false,
  -- Indexes of milestones.
  milestones_known jsonb not null default '[]',
  -- Counts the messages that this service published about the escrow.
  version integer not null default 0,
  -- The message about a payout that was made outside this platform. A contract pays out once, so it is the reply to a later command.
  external_payout jsonb,
  created_at timestamptz not null,
  -- The last ledger with a transaction of this service on the contract; what a node says about an earlier ledger is outdated.
  last_ledger integer not null default 0,
  -- When the contract was last read from the network to detect external changes.
  checked_at timestamptz not null default now(),
  check (status in ('REQUESTED', 'FAILED') or contract_id is not null),
  check (external_payout is null or status = 'SETTLED')
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

create index contracts_order on contracts (order_id, created_at);

create index contracts_watched on contracts (checked_at)
  where status = 'FUNDED';

-- How operators ended saga runs that could not end by themselves, and what waits for a second person.
create table saga_resolutions (
  saga_run_id text primary key,
  intent_id text not null references intents (id),
  outcome text not null check (outcome in ('succeeded', 'failed')),
  -- Proof of a success: a transaction on the network, and the contract that it has deployed.
  transaction_hash text check (transaction_hash ~ '^[0-9a-f]{64}$'),
  contract_id text,
  requested_by text not null,
  requested_at timestamptz not null,
  evidence text not null,
  -- The second person, where one is needed.
  approved_by text,
  approval_evidence text,
  -- Null while a second person is awaited.
  resolved_at timestamptz,
  check ((approved_by is null) = (approval_evidence is null)),
  check (outcome = 'failed' or transaction_hash is not null),
  check (outcome = 'succeeded' or contract_id is null),
  check (approved_by is null or resolved_at is not null)
);

-- Every transaction of this service, stored before it is submitted, so that none can land unknown.
create table ledger_transactions (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  -- Null for transactions of the treasury.
  intent_id text references intents (id),
  step text not null,
  -- The SHA-256 of the provider request.
  request_hash text not null check (request_hash ~ '^[0-9a-f]{64}$'),
  source_account text not null,
  sequence bigint not null,
  envelope text not null,
  -- The upper time bound: once a ledger has closed after it, the transaction can no longer land.
  valid_until timestamptz not null,
  -- A ledger that was closed before the transaction was signed; only later ones can contain it.
  first_ledger integer not null,
  -- [{ token, from, to, units }]: what it must move, which is compared with what it has moved. Null for payments.
  transfers jsonb,
  -- LANDED and FAILED transactions are on the network; a DEAD one is not and cannot land any more. A MISMATCHED one is on the network
  -- and has moved something else than it must.
  state text not null check (state in ('OPEN', 'LANDED', 'FAILED', 'DEAD', 'MISMATCHED')),
  -- The ledger that contains it.
  ledger integer,
  created_at timestamptz not null default now()
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- One submission at a time per source account.
create unique index ledger_transactions_open_source on ledger_transactions (source_account)
  where state = 'OPEN';

create index ledger_transactions_intent on ledger_transactions (intent_id);

-- Events of the escrow provider, each stored once.
create table provider_events (
  event_id text primary key,
  id text not null unique,
  type text not null,
  contract_id text not null,
  order_id text,
  transaction_hash text,
  milestone_ref text,
  is_signed boolean not null,
  received_at timestamptz not null,
  processed_at timestamptz,
  attempts integer not null,
  due_at timestamptz not null,
  result text
) with (autovacuum_analyze_scale_factor = 0.05);

create index provider_events_due on provider_events (due_at)
  where processed_at is null;

-- Signed events of an unknown type or format, kept as they came, for a person to look at.
create table ignored_provider_events (
  -- The provider's, else the hash of the body.
  event_id text primary key,
  body bytea not null,
  received_at timestamptz not null
);

-- The users' accounts on the ledger network. Each seed is encrypted with its own data key, and that with the master key of
-- this id.
create table wallets (
  user_id text primary key,
  id text not null unique,
  marketplace_id text not null,
  address text not null unique,
  sealed_seed bytea not null,
  wrapped_key bytea not null,
  master_key_id text not null,
  created_at timestamptz not null,
  -- When the account was first needed; only then it is made.
  activation_requested_at timestamptz,
  -- When the account with its trustline was found on the network.
  activated_at timestamptz,
  -- When it was last checked for tokens to sweep; null before the first check.
  swept_at timestamptz
) with (fillfactor = 80);

create index wallets_waiting on wallets (activation_requested_at)
  where activated_at is null
    and activation_requested_at is not null;

create index wallets_requested on wallets (marketplace_id, activation_requested_at)
  where activation_requested_at is not null;

create index wallets_by_master_key on wallets (master_key_id, user_id);

-- Wallets whose keys are held by the users themselves. Money can be withdrawn to them; for everything else a user has the wallet above.
create table linked_wallets (
  id text primary key,
  user_id text not null references users (id),
  marketplace_id text not null,
  public_key text not null,
  connected_at timestamptz not null,
  -- Whether it is the one that the user has connected last.
  is_primary boolean not null,
  unique (user_id, public_key)
);

create unique index linked_wallets_primary on linked_wallets (user_id)
  where is_primary;

-- The sum of all published custody legs of a wallet, which equals its custody accounts in ledger-balance.
create table wallet_holdings (
  user_id text not null references wallets (user_id),
  asset text not null check (asset in ('USDC', 'XLM')),
  units bigint not null,
  primary key (user_id, asset)
) with (fillfactor = 80);

-- Transactions that involve an account of ours and were published in custody.transactions_landed.
create table published_transactions (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  published_at timestamptz not null default now()
);

-- Records of the network's history that name an account of ours and could not be understood, as they were sent.
create table quarantined_records (
  -- The operation; the SHA-256 of the record where it names none.
  id text primary key,
  record text not null,
  reason text not null,
  -- The owners of the wallets that it names. They are not swept until the case is resolved.
  user_ids text[] not null,
  found_at timestamptz not null default now(),
  resolved_at timestamptz
);

create index quarantined_records_unresolved on quarantined_records (found_at)
  where resolved_at is null;

-- Positions in the network's history. A cursor moves in the commit that publishes the transactions before it.
create table feed_cursors (
  name text primary key,
  cursor text not null
);
