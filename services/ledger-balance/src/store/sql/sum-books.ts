/**
 * The totals of the books. The accounts of users and orders have running balances; platform accounts have none, and their legs are
 * summed from an index. What the providers and the network have kept is in the accounts of the tokens.
 */
export const sumBooks = `
  select 'available' as book, currency, sum(available_units)::text as units
  from accounts
  where kind = 'user'
  group by currency
  union all
  select 'reserved', currency, sum(reserved_units)::text
  from accounts
  where kind = 'user'
  group by currency
  union all
  select 'escrow', currency, sum(available_units)::text
  from accounts
  where kind = 'escrow'
  group by currency
  union all
  select accounts.owner, accounts.currency, (case accounts.owner when 'provider_costs' then -1 else 1 end * sum(legs.units))::text
  from accounts
  join legs on legs.account_id = accounts.id and legs.balance_units is null
  where accounts.kind = 'platform'
  group by accounts.owner, accounts.currency
  union all
  select case accounts.owner when 'capital' then 'capital' else 'provider_costs' end as book,
    replace(accounts.currency, 'chain:', ''),
    sum(case accounts.owner when 'capital' then -custody_balances.units else custody_balances.units end)::text
  from accounts
  join custody_balances on custody_balances.account_id = accounts.id
  where accounts.kind = 'chain'
    and accounts.owner in ('provider_fees', 'network_fees', 'capital')
  group by book, accounts.currency`;
