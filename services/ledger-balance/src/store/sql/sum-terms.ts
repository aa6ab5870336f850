/**
 * Every total that solvency needs, in one snapshot. The accounts of users, orders and tokens have running balances; the legs of shared
 * accounts are summed from an index. For tokens only the places outside are listed, because all places sum to zero.
 */
export const sumTerms = {
  name: 'sum-terms',
  text: `
  select 'available' as term, currency, sum(available_units)::text as units
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
  select accounts.kind || ':' || accounts.owner, accounts.currency, sums.units
  from accounts
  cross join lateral (
    select coalesce(sum(legs.units), 0)::text as units
    from legs
    where legs.account_id = accounts.id
      and legs.balance_units is null
  ) as sums
  where accounts.owner = any($1)
    and accounts.kind in ('external', 'platform')
  union all
  select 'chain:' || accounts.owner, replace(accounts.currency, 'chain:', ''), custody_balances.units::text
  from accounts
  join custody_balances on custody_balances.account_id = accounts.id
  where accounts.owner = any($2)
    and accounts.kind = 'chain'`,
};

export type TermRow = { readonly term: string; readonly currency: string; readonly units: string };
