import type { MarketplaceId } from '@holdfast/kernel/ids';
import { recordIfNew } from '@holdfast/messaging/inbox';
import {
  createdWithin,
  equals,
  queryLists,
  queryPage,
  type KeysetList,
  selectList,
  type Database,
  type Lists,
} from '@holdfast/postgres';
import type { User } from '../domain/user.js';
import type { Deps, UserFilter } from '../use-cases/ports.js';
import { userColumns, userSchema } from './schema.js';

/** A user has one account, so an existing address is never replaced. */
const linkLedger = `
  update users
  set ledger_address = $3,
    ledger_linked_at = $4,
    updated_at = greatest(updated_at, $4)
  where marketplace_id = $1
    and id = $2
    and ledger_address is null`;

const linkPaymentAccount = `
  update users
  set payment_account_user_id = $3,
    payment_account_linked_at = $4,
    updated_at = greatest(updated_at, $4)
  where marketplace_id = $1
    and id = $2
    and payment_account_user_id is null`;

export function userStore(database: Database): Pick<Deps['users'], 'find' | 'list' | 'linkLedger' | 'linkPaymentAccount'> {
  const { pool, lists } = database;
  return {
    find: async (marketplaceId, id) => (await pool.manager.findOneBy(userSchema, { id, marketplaceId })) ?? undefined,
    list: (marketplaceId, filter) => listUsers(lists, marketplaceId, filter),
    linkLedger: ({ marketplaceId, userId, ledgerAddress, linkedAt }, message) =>
      database.inTransaction(async (tx) => {
        if (!(await recordIfNew(tx, 'identity', message.id))) return;
        await tx.query(linkLedger, [marketplaceId, userId, ledgerAddress, linkedAt]);
      }),
    linkPaymentAccount: ({ marketplaceId, userId, paymentAccountUserId, linkedAt }, message) =>
      database.inTransaction(async (tx) => {
        if (!(await recordIfNew(tx, 'identity', message.id))) return;
        await tx.query(linkPaymentAccount, [marketplaceId, userId, paymentAccountUserId, linkedAt]);
      }),
  };
}

export function listUsers(lists: Lists, marketplaceId: MarketplaceId, filter: UserFilter): Promise<readonly User[] | undefined> {
  const { externalUserId, email, type, status } = filter;
  const list: KeysetList = {
    columns: selectList(userColumns, 'users'),
    from: 'users',
    keyset: ['created_at', 'id'],
    idColumn: 'id',
    scope: [equals('marketplace_id', marketplaceId)],
    filters: [
      equals('external_user_id', externalUserId),
      equals('email', email),
      equals('type', type),
      equals('status', status),
      ...createdWithin('created_at', filter),
    ],
  };
  return queryPage<User>(queryLists(lists), list, filter);
}
