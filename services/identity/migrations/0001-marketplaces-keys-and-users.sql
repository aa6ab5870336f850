-- compatible since 0001
create table marketplaces (
  id text primary key,
  name text not null,
  created_at timestamptz not null
);

create index marketplaces_listed on marketplaces (created_at, id);

-- The marketplace that exists from the first start.
insert into marketplaces (id, name, created_at)
values ('mkt_default', 'Default marketplace', now());

-- Secrets are stored as SHA-256 digests. They are 256 random bits, so a slow password hash is not needed.
create table api_keys (
  id text primary key,
  marketplace_id text not null references marketplaces (id),
  name text not null,
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['read', 'write', 'support']),
  secret_hash text not null check (secret_hash ~ '^[0-9a-f]{64}$'),
  -- Counts the secrets of the key. A token names the secret it was issued with, and expires with it.
  secret_number integer not null check (secret_number > 0),
  -- After a rotation: the previous secret, and until when it is valid.
  previous_secret_hash text,
  previous_valid_until timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  version integer not null,
  check ((previous_secret_hash is null) = (previous_valid_until is null))
) with (fillfactor = 80);

create index api_keys_listed on api_keys (created_at, id);

create index api_keys_of_marketplace on api_keys (marketplace_id, created_at, id);

create table users (
  id text primary key,
  marketplace_id text not null references marketplaces (id),
  external_user_id text not null,
  email text,
  type text not null check (type in ('BUYER', 'SELLER', 'BOTH')),
  status text not null check (status in ('ACTIVE', 'SUSPENDED')),
  -- The type is json because it preserves the order of the keys, which jsonb does not.
  metadata json not null,
  -- Counts the published changes of the user.
  version integer not null,
  -- The user's account on the ledger network; null until user.ledger_linked was consumed.
  ledger_address text,
  ledger_linked_at timestamptz,
  -- The user's account at the payment provider; null until user.payment_account_linked was consumed.
  payment_account_user_id text,
  payment_account_linked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (marketplace_id, external_user_id),
  check ((ledger_address is null) = (ledger_linked_at is null)),
  check ((payment_account_user_id is null) = (payment_account_linked_at is null))
) with (autovacuum_analyze_scale_factor = 0.02);

-- Also serves the filters by type and by status: their values are common, except SUSPENDED.
create index users_listed on users (marketplace_id, created_at, id);

create index users_of_email on users (marketplace_id, email, created_at, id)
  where email is not null;

create index users_suspended on users (marketplace_id, created_at, id)
  where status = 'SUSPENDED';

-- Numbers of refused credentials that gateways have reported. A row is deleted when its audit entry is published.
create table refused_credentials (
  minute timestamptz not null,
  address text not null,
  -- Each gateway reports its own count.
  gateway_id uuid not null,
  count integer not null check (count > 0),
  primary key (minute, address, gateway_id)
);

-- Whether a person has stopped signing and payouts. The one row exists from the first start, so that a change can lock it.
create table emergency_stop (
  is_only_row boolean primary key default true check (is_only_row),
  is_stopped boolean not null,
  -- Counts the changes; services keep the newest.
  version integer not null,
  changed_at timestamptz,
  changed_by text,
  reason text
);

insert into emergency_stop (is_stopped, version)
values (false, 0);

-- People who log in with an e-mail address and a password. Each is a user of the default marketplace.
create table accounts (
  user_id text primary key references users (id),
  -- In lower case, so that an address has one account.
  email text not null unique check (email = lower(email)),
  name text not null,
  -- Argon2id, with its salt and parameters.
  password_hash text not null check (password_hash like '$argon2id$%'),
  created_at timestamptz not null
);

-- Attempts to register or to log in within a window. Losing them costs nothing, so the table is unlogged.
create unlogged table login_attempts (
  -- The digest of an address or an account: people mistype, and what they type is not kept.
  subject text primary key,
  count integer not null check (count >= 0),
  window_ends_at timestamptz not null
);
