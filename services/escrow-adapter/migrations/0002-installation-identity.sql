-- compatible since 0001
-- The accounts, the network and the keys that the data of this schema belong to. The first start stores them; a start with others is
-- refused.
create table installation_identity (
  is_only_row boolean primary key default true check (is_only_row),
  treasury_address text not null,
  platform_address text not null,
  usdc_issuer text not null,
  network_passphrase text not null,
  -- The master keys that may wrap a wallet: one, and during a rotation two.
  master_key_ids text[] not null check (cardinality(master_key_ids) > 0)
);
