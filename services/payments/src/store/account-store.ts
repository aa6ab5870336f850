import { insertMany, selectList, type Database } from '@holdfast/postgres';
import type { PaymentAccount } from '../domain/payment-account.js';
import type { Deps } from '../use-cases/ports.js';
import { accountColumns } from './schema.js';

const columns = selectList(accountColumns, 'payment_accounts');

/** A user has one account, so an existing link is never replaced. */
export const insertAccounts = insertMany({
  name: 'insert-payment-accounts',
  table: 'payment_accounts',
  columns: accountColumns,
  suffix: 'on conflict (user_id) do nothing returning user_id',
});

export const findAccountOfUser = {
  name: 'find-payment-account-of-user',
  text: `
  select ${columns}
  from payment_accounts
  where user_id = $1`,
};

export const lockAccount = {
  name: 'lock-payment-account',
  text: `
  select ${columns}
  from payment_accounts
  where user_id = $1
    and marketplace_id = $2
  for update`,
};

const findAccount = {
  name: 'find-payment-account',
  text: `
  select ${columns}
  from payment_accounts
  where user_id = $1
    and marketplace_id = $2`,
};

export function accountStore({ pool }: Pick<Database, 'pool'>): Deps['accounts'] {
  return {
    find: async (marketplaceId, userId) => (await pool.query<PaymentAccount>(findAccount, [userId, marketplaceId])).rows[0],
  };
}
