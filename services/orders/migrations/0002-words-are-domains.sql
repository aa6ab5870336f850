-- The words a column may hold belong to its type from here on. Postgres reads the checks of a table anew for every statement
-- that changes it, and lists of words are most of what there is to read; those of a type it reads once in a connection.
-- Without a check at first: a column takes such a type without being written anew.
create domain currency as text;
create domain order_status as text;
create domain close_reason as text;
create domain escrow_status as text;
create domain contract_type as text;

alter table orders
  drop constraint orders_currency_check,
  drop constraint orders_status_check,
  drop constraint orders_close_reason_check,
  drop constraint orders_escrow_status_check,
  drop constraint orders_contract_type_check,
  alter column currency type currency,
  alter column status type order_status,
  alter column close_reason type close_reason,
  alter column escrow_status type escrow_status,
  alter column contract_type type contract_type;

alter domain currency add check (value in ('USD', 'USDC', 'XLM'));
alter domain order_status add check (
  value in (
    'ORDER_CREATED', 'FUNDS_RESERVED', 'ESCROW_CREATING', 'ESCROW_FUNDING', 'IN_PROGRESS', 'RELEASE_REQUESTED', 'RELEASED',
    'REFUND_REQUESTED', 'REFUNDED', 'DISPUTED', 'CLOSED'
  )
);
alter domain close_reason add check (value in ('RELEASED', 'REFUNDED', 'SPLIT', 'CANCELED'));
alter domain escrow_status add check (
  value in ('CREATING', 'CREATED', 'FUNDING', 'FUNDED', 'RELEASED', 'REFUNDED', 'DISPUTED')
);
alter domain contract_type add check (value in ('single-release', 'multi-release'));
