-- The words a column may hold belong to its type from here on. Postgres reads the checks of a table anew for every statement
-- that changes it, and lists of words are most of what there is to read; those of a type it reads once in a connection.
-- Without a check at first: a column takes such a type without being written anew.
create domain contract_type as text;
create domain currency as text;
create domain contract_status as text;
create domain transaction_state as text;
create domain asset as text;

alter table contracts
  drop constraint contracts_contract_type_check,
  drop constraint contracts_currency_check,
  drop constraint contracts_status_check,
  alter column contract_type type contract_type,
  alter column currency type currency,
  alter column status type contract_status;

alter table ledger_transactions
  drop constraint ledger_transactions_state_check,
  alter column state type transaction_state;

alter table wallet_holdings
  drop constraint wallet_holdings_asset_check,
  alter column asset type asset;

alter domain contract_type add check (value in ('single-release', 'multi-release'));
alter domain currency add check (value in ('USD', 'USDC', 'XLM'));
alter domain contract_status add check (value in ('REQUESTED', 'CREATED', 'FUNDED', 'SETTLED', 'FAILED'));
alter domain transaction_state add check (value in ('OPEN', 'LANDED', 'FAILED', 'DEAD'));
alter domain asset add check (value in ('USDC', 'XLM'));
