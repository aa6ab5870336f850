import { accounts, type AccountRow } from '../schema.js';

/**
 * Every transaction locks accounts in id order, so that two transactions cannot deadlock. No transfer of the account may be dated before
 * `earliestAt`: the time of its last change, or the end of a complete statement.
 */
export const lockAccounts = {
  name: 'lock-accounts',
  text: `
  select ${accounts.selected},
    greatest(updated_at, not_before) as "earliestAt"
  from accounts
  where id = any($1::bigint[])
  order by id
  for update`,
};

export type LockedAccountRow = AccountRow & { readonly earliestAt: AccountRow['updatedAt'] };
