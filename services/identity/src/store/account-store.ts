import { columnsOf, insertMany, selectList, type Database } from '@holdfast/postgres';
import type { Account } from '../domain/account.js';
import type { AccountDeps } from '../use-cases/account-ports.js';

const accountColumns = columnsOf<Account>()({
  userId: { column: 'user_id', type: 'text', isPrimary: true },
  email: { column: 'email', type: 'text' },
  name: { column: 'name', type: 'text' },
  passwordHash: { column: 'password_hash', type: 'text' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
});

/** Of concurrent registrations with one address exactly one inserts a row. */
export const insertAccounts = insertMany({
  name: 'insert-accounts',
  table: 'accounts',
  columns: accountColumns,
  suffix: 'on conflict (email) do nothing returning user_id',
});

const findByEmail = {
  name: 'find-account-by-email',
  text: `
  select ${selectList(accountColumns, 'accounts')}
  from accounts
  where email = $1`,
};

const findByUser = {
  name: 'find-account-of-user',
  text: `
  select ${selectList(accountColumns, 'accounts')}
  from accounts
  where user_id = $1`,
};

export function accountStore({ pool }: Pick<Database, 'pool'>): AccountDeps['accounts'] {
  return {
    findByEmail: async (email) => (await pool.query<Account>(findByEmail, [email])).rows[0],
    findByUser: async (userId) => (await pool.query<Account>(findByUser, [userId])).rows[0],
  };
}
