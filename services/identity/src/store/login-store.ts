import type { Database } from '@holdfast/postgres';
import type { AccountDeps } from '../use-cases/account-ports.js';
import { accounts } from './schema.js';

export function accountStore({ pool: { manager } }: Pick<Database, 'pool'>): AccountDeps['accounts'] {
  return {
    findByEmail: async (email) => (await manager.findOneBy(accounts.entity, { email })) ?? undefined,
    findByUser: async (userId) => (await manager.findOneBy(accounts.entity, { userId })) ?? undefined,
  };
}
