import { once } from '@holdfast/shared/outbox';
import type { Database, Tx } from '@holdfast/shared/postgres';
import type { Deps, HeardUser } from '../use-cases/ports.js';
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

const findVersion = {
  name: 'find-user-version',
  text: `
  select version
  from users
  where id = $1`,
};

export function userStore(database: Database): Omit<Deps['users'], 'ask'> {
  return {
    hear: (user, message) =>
      database.inTransaction(async (tx) => {
        if (!(await once(tx, 'ledger-balance', message.id))) return;
        await keep(tx, user);
      }),
    keep: (user) => database.inTransaction((tx) => keep(tx, user)),
    isKnown: async (marketplaceId, userId) => (await rowsOf(database, findUser, [marketplaceId, userId])).length > 0,
    notedVersion: async (userId) => {
      const [row] = await rowsOf<{ readonly version: bigint }>(database, findVersion, [userId]);
      return Number(row?.version ?? 0);
    },
  };
}

async function keep(tx: Tx, { id, marketplaceId, status, version, heardAt }: HeardUser): Promise<void> {
  await tx.query(hearUser, [id, marketplaceId, status, version, heardAt]);
}
