-- What a column may hold by itself belongs to its type, as its words do: Postgres reads the checks of a table anew for every
-- statement that changes it, and those of a type once in a connection. Without a check at first: a column takes such a type
-- without being written anew.
create domain amount_units as bigint;
create domain fee_basis_points as integer;

alter table orders
  drop constraint orders_amount_units_check,
  drop constraint orders_fee_basis_points_check,
  alter column amount_units type amount_units,
  alter column fee_basis_points type fee_basis_points;

alter domain amount_units add check (value > 0);
alter domain fee_basis_points add check (value between 0 and 5000);

-- The same as before in fewer words: three checks of what an escrow has were one, and an order is CLOSED if and only if it has
-- a reason for it, which is another check.
alter table orders
  drop constraint orders_check2,
  drop constraint orders_check3,
  drop constraint orders_check4,
  drop constraint orders_check5,
  add constraint orders_escrow_is_whole
    check (num_nulls(escrow_id, escrow_status, contract_type, escrow_version) = any ('{0,4}')),
  add constraint orders_closed_has_no_operation
    check (operation is null or close_reason is null);
