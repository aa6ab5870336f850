-- Where tokens are on the ledger network, in journal currencies of their own (chain:USDC, chain:XLM). Like platform and external
-- accounts these are shared: never locked, no running balance, summed by verification.
alter table accounts
  drop constraint accounts_kind_check,
  add constraint accounts_kind_check check (kind in ('user', 'escrow', 'platform', 'external', 'chain'));

-- What each of those accounts holds: the sum of its legs, kept so that nobody has to add them up. Below zero for the world
-- outside, and for a moment wherever messages overtake each other.
create table custody_balances (
  account_id bigint primary key,
  units bigint not null
) with (fillfactor = 50);
