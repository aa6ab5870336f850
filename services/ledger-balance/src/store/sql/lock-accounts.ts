import { accounts, type AccountRow } from '../schema.js';

/**
 * Every transaction locks accounts in id order, so that two transactions cannot deadlock. `earliestAt` is the time before which no transfer of
 * the account may be dated: that of its last change, or the end of a statement that was complete.
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
