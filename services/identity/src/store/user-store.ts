import { once } from '@holdfast/shared/outbox';
import { toAppError, type Database } from '@holdfast/shared/postgres';
import type { User } from '../domain/user.js';
import type { Deps } from '../use-cases/ports.js';
import { pageOfRows } from './rows.js';
import { userSchema } from './schema.js';
import { listStatement } from './sql/list.js';

const listUsers = listStatement({
  table: 'users',
  columns: `id, marketplace_id as "marketplaceId", external_user_id as "externalUserId", email, type, status, metadata, version,
    ledger_address as "ledgerAddress", ledger_linked_at as "ledgerLinkedAt", created_at as "createdAt", updated_at as "updatedAt"`,
  filters: [
    'marketplace_id = $1',
    '($2::text is null or external_user_id = $2)',
    '($3::text is null or email = $3)',
    '($4::text is null or type = $4)',
    '($5::text is null or status = $5)',
  ],
});

/** The first address stays: a user has one account, and is told of it once. */
const linkLedger = `
  update users
  set ledger_address = $3,
    ledger_linked_at = $4,
    updated_at = greatest(updated_at, $4)
  where marketplace_id = $1
    and id = $2
    and ledger_address is null`;

const findCursor = `
  select created_at
  from users
  where marketplace_id = $1
    and id = $2`;

export function userStore(database: Database): Pick<Deps['users'], 'find' | 'list' | 'linkLedger'> {
  const users = database.pool.manager.getRepository(userSchema);
  return {
    find: async (marketplaceId, id) => {
      const found = await users.findOneBy({ id, marketplaceId }).catch((error: unknown) => {
        throw toAppError(error);
      });
      return found ?? undefined;
    },
    linkLedger: ({ marketplaceId, userId, ledgerAddress, linkedAt }, message) =>
      database.inTransaction(async (tx) => {
        if (!(await once(tx, 'identity', message.id))) return;
        await tx.query(linkLedger, [marketplaceId, userId, ledgerAddress, linkedAt]);
      }),
    list: (marketplaceId, filter) => {
      const { externalUserId = null, email = null, type = null, status = null } = filter;
      const filters = [marketplaceId, externalUserId, email, type, status];
      return pageOfRows<User>(database, { list: listUsers, filters, cursor: findCursor, cursorFilters: [marketplaceId] }, filter);
    },
  };
}
