import { insertMany, selectList, type Database } from '@holdfast/postgres';
import { transactionColumns, transactionSchema, walletColumns, type WalletRow } from './schema.js';
import { endTransactions } from './transaction-sql.js';
import { toOpen, toRow } from './transaction-store.js';
import type { TreasuryStore } from '../use-cases/treasury/ports.js';
import { toWallet } from './wallet-store.js';

/** Inserts nothing where the account has an open transaction: one submission at a time per source account. */
const insertIfNoneOpen = insertMany({
  name: 'insert-treasury-transaction',
  table: 'ledger_transactions',
  columns: transactionColumns,
  suffix: `
  on conflict do nothing
  returning hash`,
});

const activateWallets = `
  update wallets
  set activated_at = $2
  where address = any($1)
    and activated_at is null`;

const findWaiting = `
  select ${selectList(walletColumns, 'wallets')}
  from wallets
  where activated_at is null
    and activation_requested_at is not null
  order by activation_requested_at
  limit $1`;

/** Requests of one marketplace are counted one after the other, so that two replicas cannot both take the last one. */
const lockMarketplace = {
  name: 'lock-activations-of-marketplace',
  text: `select pg_advisory_xact_lock(hashtext('wallet activations'), hashtext($1))`,
};

/** Changes nothing beyond the limit; without a limit $3 is null. */
const requestActivation = {
  name: 'request-activation',
  text: `
  update wallets
  set activation_requested_at = coalesce(activation_requested_at, statement_timestamp())
  where user_id = $1
    and (
      activation_requested_at is not null
      or $3::integer is null
      or $3 > (
        select count(*)
        from wallets as requested
        where requested.marketplace_id = $2
          and requested.activation_requested_at > statement_timestamp() - interval '1 hour'
      )
    )
  returning user_id`,
};

const findActive = `
  select address
  from wallets
  where address = any($1)
    and activated_at is not null`;

export function treasuryStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): TreasuryStore {
  return {
    insertOpen: async (transaction) => {
      const row = toRow({ ...transaction, intentId: null, requestHash: transaction.hash });
      return (await pool.query(insertIfNoneOpen([row]))).rows.length === 1;
    },
    findOpen: async (sourceAccount) => {
      const row = await pool.manager.findOneBy(transactionSchema, { sourceAccount, state: 'OPEN' });
      return row === null ? undefined : toOpen(row);
    },
    end: ({ hash, state, ledger, activated, at }) =>
      pool.inTransaction(async (tx) => {
        const wasOpen = (await tx.query(endTransactions([{ hash, state, ledger }]))).length === 1;
        if (wasOpen && state === 'LANDED' && activated.length > 0) await tx.query(activateWallets, [activated, at]);
      }),
    requestActivation: ({ userId, marketplaceId }, perHourMax) =>
      pool.inTransaction(async (tx) => {
        if (perHourMax !== undefined) await tx.query(lockMarketplace, [marketplaceId]);
        return (await tx.query(requestActivation, [userId, marketplaceId, perHourMax ?? null])).length === 1;
      }),
    activate: async (addresses, at) => {
      await pool.query(activateWallets, [addresses, at]);
    },
    waiting: async (countMax) => (await lists.query<WalletRow>(findWaiting, [countMax])).rows.map(toWallet),
    active: async (addresses) => {
      const { rows } = await pool.query<Pick<WalletRow, 'address'>>(findActive, [addresses]);
      return rows.map(({ address }) => address);
    },
  };
}
