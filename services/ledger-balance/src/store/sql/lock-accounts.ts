import { selectList } from '@holdfast/postgres';
import { accountColumns } from '../schema.js';

/** Locks in id order, always: whoever needs several accounts waits for others in the same order as everybody else. */
export const lockAccounts = {
  name: 'lock-accounts',
  text: `
  select ${selectList(accountColumns, 'accounts')}
  from accounts
  where id = any($1::bigint[])
  order by id
  for update`,
};
