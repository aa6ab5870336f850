import { toAppError, type Database } from '@holdfast/shared/postgres';
import type { User } from '../domain/user.js';
import type { Deps } from '../use-cases/ports.js';
import { pageOfRows } from './rows.js';
import { userSchema } from './schema.js';
import { listStatement } from './sql/list.js';

const listUsers = listStatement({
  table: 'users',
  columns: `id, marketplace_id as "marketplaceId", external_user_id as "externalUserId", email, type, status, metadata, version,
    created_at as "createdAt", updated_at as "updatedAt"`,
  filters: [
    'marketplace_id = $1',
    '($2::text is null or external_user_id = $2)',
    '($3::text is null or email = $3)',
    '($4::text is null or type = $4)',
    '($5::text is null or status = $5)',
  ],
});

const findCursor = `
  select created_at
  from users
  where marketplace_id = $1
    and id = $2`;

export function userStore(database: Database): Pick<Deps['users'], 'find' | 'list'> {
  const users = database.dataSource.getRepository(userSchema);
  return {
    find: async (marketplaceId, id) => {
      const found = await users.findOneBy({ id, marketplaceId }).catch((error: unknown) => {
        throw toAppError(error);
      });
      return found ?? undefined;
    },
    list: (marketplaceId, filter) => {
      const { externalUserId = null, email = null, type = null, status = null } = filter;
      const filters = [marketplaceId, externalUserId, email, type, status];
      return pageOfRows<User>(database, { list: listUsers, filters, cursor: findCursor, cursorFilters: [marketplaceId] }, filter);
    },
  };
}
