import { lastTransferUpTo } from './last-transfer.js';

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
    ${lastTransferUpTo('$4')}
  ) as last_transfer on true
  where users.id = $2
    and users.marketplace_id = $1`,
};
