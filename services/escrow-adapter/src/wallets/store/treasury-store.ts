import type { Instant } from '@holdfast/kernel/context';
import { insertMany, selectList, type Database } from '@holdfast/postgres';
import { transactionColumns, transactionSchema, walletColumns, type WalletRow } from '../../store/schema.js';
import { endTransactions } from '../../transactions/transaction-sql.js';
import { toOpen, toRow } from '../../transactions/transaction-store.js';
import type { EndState, OpenTransaction } from '../../use-cases/ports.js';
import { toWallet, type Wallet } from './wallet-store.js';

export type TreasuryStep = 'activate' | 'sweep' | 'treasury';

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

/** The watcher looks them up by hash and publishes them. */
const insertUnpublished = `
  insert into unpublished_transactions (hash)
  values ($1)
  on conflict (hash) do nothing`;

const findWaiting = `
  select ${selectList(walletColumns, 'wallets')}
  from wallets
  where activated_at is null
  order by created_at
  limit $1`;

const findActive = `
  select address
  from wallets
  where address = any($1)
    and activated_at is not null`;

export type Ended = {
  readonly hash: string;
  readonly state: EndState;
  /** Addresses of wallets that the transaction has activated. */
  readonly activated: readonly string[];
  readonly at: Instant;
};

export type TreasuryStore = ReturnType<typeof treasuryStore>;

/** For `storesUnpublished` see `WalletsModule`. */
export function treasuryStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>, storesUnpublished: boolean) {
  return {
    /** False where another transaction of the account is open. */
    insertOpen: async (transaction: OpenTransaction): Promise<boolean> => {
      const row = toRow({ ...transaction, intentId: null, requestHash: transaction.hash });
      return (await pool.query(insertIfNoneOpen([row]))).rows.length === 1;
    },
    findOpen: async (sourceAccount: string): Promise<OpenTransaction | undefined> => {
      const row = await pool.manager.findOneBy(transactionSchema, { sourceAccount, state: 'OPEN' });
      return row === null ? undefined : toOpen(row);
    },
    end: ({ hash, state, activated, at }: Ended): Promise<void> =>
      pool.inTransaction(async (tx) => {
        const wasOpen = (await tx.query(endTransactions([{ hash, state }]))).length === 1;
        if (!wasOpen || state === 'DEAD') return;
        if (storesUnpublished) tx.defer(insertUnpublished, [hash]);
        if (state === 'LANDED' && activated.length > 0) await tx.query(activateWallets, [activated, at]);
      }),
    /** For wallets whose accounts the network had already. */
    activate: async (addresses: readonly string[], at: Instant): Promise<void> => {
      await pool.query(activateWallets, [addresses, at]);
    },
    waiting: async (countMax: number): Promise<readonly Wallet[]> =>
      (await lists.query<WalletRow>(findWaiting, [countMax])).rows.map(toWallet),
    active: async (addresses: readonly string[]): Promise<readonly string[]> => {
      const { rows } = await pool.query<Pick<Wallet, 'address'>>(findActive, [addresses]);
      return rows.map(({ address }) => address);
    },
  };
}
