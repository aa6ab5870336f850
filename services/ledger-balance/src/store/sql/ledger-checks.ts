/** Each query finds violations of one rule. In a consistent ledger every query returns no row. */
export const ledgerChecks = {
  'the legs of a transfer sum to zero': `
  select legs.transfer_id as subject, 0 as expected, sum(legs.units) as found
  from legs
  group by legs.transfer_id
  having sum(legs.units) <> 0`,

  'the legs of a transfer are of one currency': `
  select legs.transfer_id as subject, 1 as expected, count(distinct accounts.currency) as found
  from legs
  left join accounts on accounts.id = legs.account_id
  group by legs.transfer_id
  having count(distinct accounts.currency) <> 1
    or count(*) <> count(accounts.id)`,

  'every leg belongs to a transfer and every transfer has legs': `
  select coalesce(transfers.id, legs.transfer_id) as subject, 1 as expected, 0 as found
  from transfers
  full join (select distinct transfer_id from legs) as legs on legs.transfer_id = transfers.id
  where transfers.id is null
    or legs.transfer_id is null`,

  'an available balance is the sum of its legs': `
  select accounts.kind || ':' || accounts.owner || ':' || accounts.currency as subject,
    coalesce(sums.units, 0) as expected, accounts.available_units as found
  from accounts
  left join (
    select account_id, sum(units) as units
    from legs
    where part = 'available'
    group by account_id
  ) as sums on sums.account_id = accounts.id
  where accounts.kind in ('user', 'escrow')
    and accounts.available_units <> coalesce(sums.units, 0)`,

  'a custody balance is the sum of its legs': `
  select accounts.owner || ':' || accounts.currency as subject,
    coalesce(sums.units, 0) as expected, coalesce(custody_balances.units, 0) as found
  from accounts
  left join custody_balances on custody_balances.account_id = accounts.id
  left join (
    select account_id, sum(units) as units
    from legs
    group by account_id
  ) as sums on sums.account_id = accounts.id
  where accounts.kind = 'chain'
    and coalesce(custody_balances.units, 0) <> coalesce(sums.units, 0)`,

  'a reserved balance is the sum of its legs': `
  select accounts.kind || ':' || accounts.owner || ':' || accounts.currency as subject,
    coalesce(sums.units, 0) as expected, accounts.reserved_units as found
  from accounts
  left join (
    select account_id, sum(units) as units
    from legs
    where part = 'reserved'
    group by account_id
  ) as sums on sums.account_id = accounts.id
  where accounts.kind in ('user', 'escrow')
    and accounts.reserved_units <> coalesce(sums.units, 0)`,

  'a reserved balance is the sum of its active reservations': `
  select accounts.owner || ':' || accounts.currency as subject,
    coalesce(sums.units, 0) as expected, accounts.reserved_units as found
  from accounts
  left join (
    select account_id, sum(active_units) as units
    from reservations
    where active_units > 0
    group by account_id
  ) as sums on sums.account_id = accounts.id
  where accounts.kind = 'user'
    and accounts.reserved_units <> coalesce(sums.units, 0)`,

  'no balance is below zero': `
  select accounts.kind || ':' || accounts.owner || ':' || accounts.currency as subject,
    0 as expected, least(accounts.available_units, accounts.reserved_units) as found
  from accounts
  where accounts.available_units < 0
    or accounts.reserved_units < 0`,

  'the last transfer of a user shows the balance': `
  select accounts.owner || ':' || accounts.currency as subject,
    accounts.available_units as expected, last_transfer.available_units as found
  from accounts
  join lateral (
    select transfers.available_units, transfers.reserved_units
    from transfers
    where transfers.account_id = accounts.id
    order by transfers.account_version desc
    limit 1
  ) as last_transfer on true
  where accounts.kind = 'user'
    and (last_transfer.available_units, last_transfer.reserved_units) <> (accounts.available_units, accounts.reserved_units)`,
} as const;

export const countLedger = `
  select (select count(*) from transfers) as transfers, (select count(*) from accounts) as accounts`;
