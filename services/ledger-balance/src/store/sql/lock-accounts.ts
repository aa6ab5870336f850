import { accounts } from '../schema.js';

/** Every transaction locks accounts in id order, so that two transactions cannot deadlock. */
export const lockAccounts = {
  name: 'lock-accounts',
  text: `
  select ${accounts.selected}
  from accounts
  where id = any($1::bigint[])
  order by id
  for update`,
};
