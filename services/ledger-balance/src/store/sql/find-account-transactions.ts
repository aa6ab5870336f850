import { unnestRows } from '@holdfast/postgres';
import { accounts, transfers } from '../schema.js';

/**
 * Versions have no gaps and are given under the lock of the account, so a transfer that is committed later never has one of these.
 * Reservations do not change the sum.
 */
const changesOfSum = `transfers.account_id = accounts.id
    and transfers.account_version <= accounts.version
    and transfers.available_change_units + transfers.reserved_change_units <> 0`;

/** The positions up to which a history is read, as the table `accounts`. */
export const positionRows = unnestRows(accounts.columns, ['id', 'version', 'currency'], { name: 'accounts' });

/** Each account is read from its newest transfer on, and no further than the page can reach. */
export const findAccountTransactions = {
  name: 'find-account-transactions',
  text: `
  select newest.*, accounts.currency
  from ${positionRows.from}
  cross join lateral (
    select ${transfers.selected}
    from transfers
    where ${changesOfSum}
    order by transfers.created_at desc, transfers.account_version desc
    limit $4::bigint + $5::bigint
  ) as newest
  order by newest."createdAt" desc, newest."accountVersion" desc, newest."accountId" desc
  limit $4
  offset $5`,
};

/** Reads the whole history of the accounts from the index: about as much work as their last page. */
export const countAccountTransactions = {
  name: 'count-account-transactions',
  text: `
  select count(*)::integer as total
  from ${positionRows.from}
  join transfers on ${changesOfSum}`,
};
