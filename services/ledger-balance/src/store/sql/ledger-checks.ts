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

  'a settled case takes out of the suspense account what it brought': `
  select coalesce(suspense.reference, min(suspense.id)) as subject, 0 as expected, sum(suspense.units) as found
  from (
    select transfers.id, transfers.reference, transfers.cause, legs.units
    from accounts
    join legs on legs.account_id = accounts.id
    join transfers on transfers.id = legs.transfer_id
    where accounts.kind = 'platform'
      and accounts.owner = 'suspense'
  ) as suspense
  group by suspense.reference
  having not bool_and(suspense.cause in ('case-opened:' || suspense.reference, 'case-settled:' || suspense.reference))
    or (bool_or(suspense.cause = 'case-settled:' || suspense.reference) and sum(suspense.units) <> 0)`,

  'the last transfer of a user shows the balance': `
  select accounts.owner || ':' || accounts.currency as subject,
    accounts.available_units as expected, last_transfer.available_units as found
  from accounts
  join lateral (
    select transfers.available_units, transfers.reserved_units
    from transfers
    where transfers.account_id = accounts.id
    order by transfers.created_at desc, transfers.account_version desc
    limit 1
  ) as last_transfer on true
  where accounts.kind = 'user'
    and (last_transfer.available_units, last_transfer.reserved_units) <> (accounts.available_units, accounts.reserved_units)`,

  'the changes of a user add up to the balances after each transfer': `
  select history.id as subject, history.available_before + history.available_change_units as expected,
    history.available_units as found
  from (
    select id, account_version, available_units, reserved_units, available_change_units, reserved_change_units,
      lag(account_version, 1, 0) over earlier as version_before,
      lag(available_units, 1, 0::bigint) over earlier as available_before,
      lag(reserved_units, 1, 0::bigint) over earlier as reserved_before
    from transfers
    where account_id is not null
    window earlier as (partition by account_id order by created_at, account_version)
  ) as history
  where history.account_version <> history.version_before + 1
    or history.available_units <> history.available_before + history.available_change_units
    or history.reserved_units <> history.reserved_before + history.reserved_change_units`,
} as const;

export const countLedger = `
  select (select count(*) from transfers) as transfers, (select count(*) from accounts) as accounts`;
