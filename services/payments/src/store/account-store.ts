import { insertMany, type Database } from '@holdfast/postgres';
import type { Deps } from '../use-cases/ports.js';
import { accounts } from './schema.js';

/** A user has one account, so an existing link is never replaced. */
export const insertAccounts = insertMany({
  ...accounts,
  name: 'insert-payment-accounts',
  suffix: 'on conflict (user_id) do nothing returning user_id',
});

export function accountStore({ pool }: Pick<Database, 'pool'>): Deps['accounts'] {
  return {
    find: async (marketplaceId, userId) =>
      (await pool.manager.findOneBy(accounts.entity, { userId, marketplaceId })) ?? undefined,
  };
}
