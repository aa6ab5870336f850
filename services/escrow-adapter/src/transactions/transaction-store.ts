import { createCommitBatcher } from '@holdfast/messaging/batching';
import { commitStatement, type Database, type Tx } from '@holdfast/postgres';
import { LeaseLost, type LeaseHandle, type IntentLease } from '@holdfast/intents';
import type { TransactionRow } from '../store/schema.js';
import type { EndedTransaction, NewTransaction, OpenTransaction } from '../use-cases/ports.js';
import {
  findLive,
  findTransaction,
  writeTransactions,
  writeTransactionsValues,
  type TransactionsWritten,
} from './transaction-sql.js';

export type LiveTransaction = OpenTransaction & { readonly isOpen: boolean };

/** The transaction writes of one intent. */
export type TransactionWrite = {
  readonly intent: IntentLease;
  /** Recorded even if the intent's lease was lost, because the end of a transaction is a fact. */
  readonly ended: readonly EndedTransaction[];
  /** Source accounts whose leases are released. */
  readonly accounts: readonly LeaseHandle[];
  /** May be submitted after the commit. Not stored, and LeaseLost is thrown, if another process has claimed the intent. */
  readonly opened?: NewTransaction;
};

export type TransactionStore = {
  /** Landed and open transactions of the intent, oldest first. */
  readonly liveOf: (intentId: string) => Promise<readonly LiveTransaction[]>;
  /** Batched with the writes of other intents into one commit. */
  readonly write: (write: TransactionWrite) => Promise<void>;
};

export type TransactionStoreDeps = {
  readonly database: Pick<Database, 'pool'>;
  /** See `WalletsModule.storesUnpublished`. */
  readonly storesUnpublished: boolean;
};

const batchLimits = { sizeMax: 32, batchDelayMs: 10, inFlightMax: 4, waitingMax: 10_000 };

export function transactionStore({ database: { pool }, storesUnpublished }: TransactionStoreDeps): TransactionStore {
  const { submit } = createCommitBatcher<TransactionWrite, undefined>({
    ...batchLimits,
    commit: async (writes, { mayBeCommitted }) => {
      const missing = mayBeCommitted ? await withoutStored(pool, writes) : writes;
      const [written] = await commitStatement<TransactionsWritten>(pool, writeTransactions, valuesOf(missing, storesUnpublished));
      for (const { accounts } of writes) releaseAll(accounts, written);
      return writes.map((write) => resultOf(write, missing, written));
    },
    keyOf: ({ intent }) => intent.id,
  });
  return {
    liveOf: async (intentId) =>
      (await pool.query<TransactionRow>(findLive, [intentId])).rows.map((row) => ({
        ...toOpen(row),
        isOpen: row.state === 'OPEN',
      })),
    write: submit,
  };
}

/** Records ended transactions within a transaction that also closes intents. */
export async function writeEnded(tx: Tx, writes: readonly TransactionWrite[], storesUnpublished: boolean): Promise<void> {
  if (writes.every(({ ended }) => ended.length === 0)) return;
  const [written] = await tx.query<TransactionsWritten>(writeTransactions, valuesOf(writes, storesUnpublished));
  tx.afterCommit(() => {
    for (const { accounts } of writes) releaseAll(accounts, written);
  });
}

async function withoutStored(pool: Database['pool'], writes: readonly TransactionWrite[]): Promise<readonly TransactionWrite[]> {
  const isStored = await Promise.all(
    writes.map(async ({ opened }) => opened !== undefined && (await pool.query(findTransaction, [opened.hash])).rows.length > 0),
  );
  return writes.filter((_, index) => isStored[index] === false);
}

function valuesOf(writes: readonly TransactionWrite[], storesUnpublished: boolean): readonly unknown[] {
  return writeTransactionsValues({
    ended: writes.flatMap(({ ended }) => ended),
    released: writes.flatMap(({ accounts }) => accounts),
    opened: writes.flatMap(({ intent, opened }) => (opened === undefined ? [] : [{ ...opened, leaseToken: intent.leaseToken }])),
    storesUnpublished,
  });
}

function releaseAll(accounts: readonly LeaseHandle[], written: TransactionsWritten | undefined): void {
  for (const account of accounts) account.markReleased(written?.accountsWithWaiters.includes(account.name) ?? false);
}

function resultOf(
  write: TransactionWrite,
  missing: readonly TransactionWrite[],
  written: TransactionsWritten | undefined,
): PromiseSettledResult<undefined> {
  const { intent, opened } = write;
  const isLost = opened !== undefined && missing.includes(write) && written?.openedHashes.includes(opened.hash) !== true;
  return isLost ? { status: 'rejected', reason: new LeaseLost(intent.id) } : { status: 'fulfilled', value: undefined };
}

export function toRow(transaction: NewTransaction): TransactionRow {
  return { ...transaction, state: 'OPEN' };
}

export function toOpen({ hash, step, sourceAccount, sequence, envelope, validUntil }: TransactionRow): OpenTransaction {
  return { hash, step, sourceAccount, sequence, envelope, validUntil };
}
