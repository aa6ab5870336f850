import { IsNull, type FindOptionsWhere } from 'typeorm';
import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { recordIfNew } from '@holdfast/messaging/inbox';
import {
  createdWithin,
  equals,
  newestOf,
  queryPage,
  type KeysetList,
  type Database,
  type Lists,
  type Tx,
} from '@holdfast/postgres';
import type { User } from '../domain/user.js';
import type { Deps, UserFilter } from '../use-cases/ports.js';
import { users } from './schema.js';

export function userStore(database: Database): Pick<Deps['users'], 'find' | 'list' | 'linkLedger' | 'linkPaymentAccount'> {
  const { pool, lists } = database;
  return {
    find: async (marketplaceId, id) => (await pool.manager.findOneBy(users.entity, { id, marketplaceId })) ?? undefined,
    list: (marketplaceId, filter) => listUsers(lists, marketplaceId, filter),
    linkLedger: ({ marketplaceId, userId, ledgerAddress, linkedAt }, message) =>
      database.inTransaction(async (tx) => {
        if (!(await recordIfNew(tx, 'identity', message.id))) return;
        const where = { marketplaceId, id: userId, ledgerAddress: IsNull() };
        await link(tx, where, { ledgerAddress, ledgerLinkedAt: linkedAt as Instant }, linkedAt);
      }),
    linkPaymentAccount: ({ marketplaceId, userId, paymentAccountUserId, linkedAt }, message) =>
      database.inTransaction(async (tx) => {
        if (!(await recordIfNew(tx, 'identity', message.id))) return;
        const where = { marketplaceId, id: userId, paymentAccountUserId: IsNull() };
        await link(tx, where, { paymentAccountUserId, paymentAccountLinkedAt: linkedAt as Instant }, linkedAt);
      }),
  };
}

/** A user has one account, so an existing link is never replaced. */
async function link(tx: Tx, where: FindOptionsWhere<User>, linked: Partial<Omit<User, 'metadata'>>, at: string): Promise<void> {
  const updatedAt = () => 'greatest(updated_at, :at)';
  await tx.manager
    .createQueryBuilder()
    .update(users.entity)
    .set({ ...linked, updatedAt })
    .where(where)
    .setParameters({ at })
    .execute();
}

export function listUsers(lists: Lists, marketplaceId: MarketplaceId, filter: UserFilter): Promise<readonly User[] | undefined> {
  const { externalUserId, email, type, status } = filter;
  const list: KeysetList = {
    ...newestOf(users),
    scope: [equals('marketplace_id', marketplaceId)],
    filters: [
      equals('external_user_id', externalUserId),
      equals('email', email),
      equals('type', type),
      equals('status', status),
      ...createdWithin('created_at', filter),
    ],
  };
  return queryPage<User>(lists, list, filter);
}
