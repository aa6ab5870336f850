-- Statements that are sent together with their commit are carried out before anybody has seen what the first of them did.
-- Whatever must hold for the others is demanded where they run: where it does not, the whole transaction is undone.
create function demand(is_met boolean, code text, reason text) returns void
language plpgsql
as $$
begin
  if is_met is not true then
    raise exception using errcode = code, message = reason;
  end if;
end
$$;
