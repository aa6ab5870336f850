/** The balance after the last transfer up to the time. Returns a row even if there is none yet. */
export const findBalanceAt = {
  name: 'find-balance-at',
  text: `
  select users.received_at as "receivedAt",
    last_transfer.available_units as "availableUnits",
    last_transfer.reserved_units as "reservedUnits",
    last_transfer.created_at as "updatedAt"
  from users
  left join accounts on accounts.owner = users.id
    and accounts.currency = $3
    and accounts.kind = 'user'
  left join lateral (
    select available_units, reserved_units, created_at
    from transfers
    where transfers.account_id = accounts.id
      and transfers.created_at <= $4
    order by transfers.created_at desc, transfers.account_version desc
    limit 1
  ) as last_transfer on true
  where users.id = $2
    and users.marketplace_id = $1`,
};
