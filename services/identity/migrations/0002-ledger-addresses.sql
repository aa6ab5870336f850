-- The account on the ledger network that is held for the user; null until the news of it has come.
alter table users
  add column ledger_address text,
  add column ledger_linked_at timestamptz,
  add constraint users_ledger_linked check ((ledger_address is null) = (ledger_linked_at is null));
