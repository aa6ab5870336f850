import type { Database } from '@holdfast/postgres';
import type { LoginDeps } from '../use-cases/login-ports.js';
import { logins } from './schema.js';

export function loginStore({ pool: { manager } }: Pick<Database, 'pool'>): LoginDeps['logins'] {
  return {
    findByEmail: async (email) => (await manager.findOneBy(logins.entity, { email })) ?? undefined,
    findByUser: async (userId) => (await manager.findOneBy(logins.entity, { userId })) ?? undefined,
  };
}
