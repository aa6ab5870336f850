-- What a column may hold by itself belongs to its type, as its words do: Postgres reads the checks of a table anew for every
-- statement that changes it, and those of a type once in a connection. Without a check at first: a column takes such a type
-- without being written anew.
create domain amount_units as bigint;
create domain fee_basis_points as integer;
create domain sha256 as text;

alter table contracts
  drop constraint contracts_amount_units_check,
  drop constraint contracts_platform_fee_basis_points_check,
  alter column amount_units type amount_units,
  alter column platform_fee_basis_points type fee_basis_points;

alter table ledger_transactions
  drop constraint ledger_transactions_hash_check,
  alter column hash type sha256,
  alter column request_hash type sha256;

alter domain amount_units add check (value > 0);
alter domain fee_basis_points add check (value between 0 and 9900);
alter domain sha256 add check (value ~ '^[0-9a-f]{64}$');

-- The same as before. Its words are one value here instead of a list that is put together whenever it is read.
alter table contracts
  drop constraint contracts_check,
  add constraint contracts_check check (contract_id is not null or status = any ('{REQUESTED,FAILED}'));

-- No plan depends on what is in them, and taking statistics of documents is most of what it costs to take any.
alter table contracts
  alter column title set statistics 0,
  alter column description set statistics 0,
  alter column milestones set statistics 0;

alter table intents
  alter column ask set statistics 0,
  alter column memo set statistics 0,
  alter column outcome set statistics 0;

alter table ledger_transactions
  alter column envelope set statistics 0;
