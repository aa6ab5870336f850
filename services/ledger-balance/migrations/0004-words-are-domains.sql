-- The words a column may hold belong to its type from here on. Postgres reads the checks of a table anew for every statement
-- that changes it, and lists of words are most of what there is to read; those of a type it reads once in a connection.
-- Without a check at first: a column takes such a type without being written anew.
create domain account_kind as text;
create domain leg_part as text;
create domain reservation_kind as text;

alter table accounts
  drop constraint accounts_kind_check,
  alter column kind type account_kind;

alter table legs
  drop constraint legs_part_check,
  alter column part type leg_part;

alter table reservations
  drop constraint reservations_kind_check,
  alter column kind type reservation_kind;

alter domain account_kind add check (value in ('user', 'escrow', 'platform', 'external', 'chain'));
alter domain leg_part add check (value in ('available', 'reserved'));
alter domain reservation_kind add check (value in ('order', 'manual', 'withdrawal'));
