import { AppError } from '@holdfast/shared/errors';
import { once } from '@holdfast/shared/outbox';
import type { Database } from '@holdfast/shared/postgres';
import type { Deps } from '../use-cases/ports.js';
import { rowsOf } from './balance-store.js';

/** Late news about a user never overwrites newer news. */
const hearUser = `
  insert into users (id, marketplace_id, status, version, heard_at)
  values ($1, $2, $3, $4, $5)
  on conflict (id) do update
  set status = excluded.status,
    version = excluded.version
  where users.version < excluded.version
    and users.marketplace_id = excluded.marketplace_id`;

const findUser = {
  name: 'find-user',
  text: `
  select id
  from users
  where id = $2
    and marketplace_id = $1`,
};

export function userStore(database: Database): Deps['users'] {
  return {
    hear: (user, message) =>
      database.inTransaction(async (tx) => {
        if (!(await once(tx, 'ledger-balance', message.id))) return;
        await tx.query(hearUser, [user.id, user.marketplaceId, user.status, user.version, user.heardAt]);
      }),
    mustExist: async (marketplaceId, userId) => {
      const rows = await rowsOf(database, findUser, [marketplaceId, userId]);
      if (rows.length === 0) throw new AppError('USER_NOT_FOUND', { userId });
    },
  };
}
