-- Users as they were heard of; identity owns them.
create table users (
  id text primary key,
  marketplace_id text not null,
  type text not null check (type in ('BUYER', 'SELLER', 'BOTH')),
  status text not null check (status in ('ACTIVE', 'SUSPENDED')),
  version integer not null,
  heard_at timestamptz not null
);

-- One row per contract that was asked for. An order whose creation failed may ask again, with a new escrow.
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
  -- [{ ref, title, units }], in the order the contract has them.
  milestones jsonb not null,
  status text not null check (status in ('REQUESTED', 'CREATED', 'FUNDED', 'SETTLED', 'FAILED')),
  -- Addresses on the ledger network, once they are known.
  buyer_address text,
  seller_address text,
  platform_address text,
  contract_id text unique,
  -- Facts about the contract that need not be told as news: we caused them, or we have told of them.
  is_dispute_known boolean not null default false,
  milestones_known integer[] not null default '{}',
  -- Counts what is told of the escrow by this service.
  version integer not null default 0,
  created_at timestamptz not null,
  -- When the provider was last asked whether something had happened that nobody here asked for.
  checked_at timestamptz not null default now(),
  check (status in ('REQUESTED', 'FAILED') or contract_id is not null)
) with (fillfactor = 80);

create index contracts_order on contracts (order_id, created_at);

create index contracts_watched on contracts (checked_at)
  where status = 'FUNDED';

-- What was asked for and must come to an end, whoever dies when. The id is that of the message that asked.
create table intents (
  id text primary key,
  kind text not null,
  -- What it acts on: at most one intent at a time does.
  subject text not null,
  -- Lower numbers go first.
  priority smallint not null,
  marketplace_id text not null,
  correlation_id text not null,
  -- The saga that asked, and its run: what comes of the intent names them.
  saga text,
  saga_run_id text,
  ask jsonb not null,
  -- What its worker must remember from one run to the next.
  memo jsonb not null default '{}',
  -- Runs that ended without an end.
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  lease_owner text,
  -- Counts the leases: whoever writes with an older number has lost its own.
  lease_token integer not null default 0,
  lease_until timestamptz not null default '-infinity',
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  -- The messages that told how it ended, to be told again to whoever asks again.
  outcome jsonb,
  check ((closed_at is null) = (outcome is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

create unique index intents_open_subject on intents (subject)
  where closed_at is null;

create index intents_due on intents (priority, due_at)
  where closed_at is null;

-- Every transaction of ours, kept before it is submitted: what may land is never unknown to us.
create table ledger_transactions (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  -- Null where no intent led to it.
  intent_id text references intents (id),
  step text not null,
  -- Of what the provider was asked to build.
  request_hash text not null,
  source_account text not null,
  sequence bigint not null,
  envelope text not null,
  -- A closed ledger past this moment without it proves that it never lands.
  valid_until timestamptz not null,
  -- LANDED and FAILED are on the network, DEAD can never be.
  state text not null check (state in ('OPEN', 'LANDED', 'FAILED', 'DEAD')),
  created_at timestamptz not null default now()
);

-- One submission at a time per source account.
create unique index ledger_transactions_open_source on ledger_transactions (source_account)
  where state = 'OPEN';

create index ledger_transactions_intent on ledger_transactions (intent_id);

-- Who uses a source account right now. A lost lease costs a refused transaction and no more, so nothing here must be durable.
create unlogged table leases (
  name text primary key,
  token text not null,
  until timestamptz not null
) with (fillfactor = 50);

-- Events of the escrow provider, each kept once.
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
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  result text
);

create index provider_events_due on provider_events (due_at)
  where processed_at is null;

create index provider_events_order on provider_events (order_id)
  where type = 'escrow.created';
