import { createCommitBatcher } from '@holdfast/messaging/batching';
import { commitStatement, type Database, type Tx } from '@holdfast/postgres';
import { LeaseLost, type LeaseHandle, type IntentLease } from '../intents/index.js';
import type { TransactionRow } from '../store/schema.js';
import type { EndedTransaction, NewTransaction, OpenTransaction } from '../use-cases/ports.js';
import { findLive, findTransaction, writeTransactions, writeTransactionsValues, type TransactionsWritten } from './sql.js';

export type LiveTransaction = OpenTransaction & { readonly isOpen: boolean };

/** What is written about the transactions of one intent. */
export type TransactionWrite = {
  readonly intent: IntentLease;
  /** Those that had ended before stay as they are. Needs no lease of the intent: what ended has ended, whoever writes it down. */
  readonly ended: readonly EndedTransaction[];
  /** Their source accounts that are given back with it. */
  readonly accounts: readonly LeaseHandle[];
  /** From the commit on it may land. LeaseLost where another process has taken the intent over; then it is not stored. */
  readonly opened?: NewTransaction;
};

export type TransactionStore = {
  /** In the order in which they were made: what has landed for the intent, and what may land. */
  readonly liveOf: (intentId: string) => Promise<readonly LiveTransaction[]>;
  /** In a commit that is shared with what is written about other intents at the same time. */
  readonly write: (write: TransactionWrite) => Promise<void>;
};

export type TransactionStoreDeps = {
  readonly database: Pick<Database, 'pool'>;
  /** Whether what landed has to be looked up later. */
  readonly keepsUntold: boolean;
};

const batchLimits = { sizeMax: 32, batchDelayMs: 10, inFlightMax: 4, waitingMax: 10_000 };

export function transactionStore({ database: { pool }, keepsUntold }: TransactionStoreDeps): TransactionStore {
  const { submit } = createCommitBatcher<TransactionWrite, undefined>({
    ...batchLimits,
    commit: async (writes, { mayBeCommitted }) => {
      const missing = mayBeCommitted ? await withoutStored(pool, writes) : writes;
      const [written] = await commitStatement<TransactionsWritten>(pool, writeTransactions, valuesOf(missing, keepsUntold));
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

/** The same within a transaction, which ends intents as well. */
export async function writeEnded(tx: Tx, writes: readonly TransactionWrite[], keepsUntold: boolean): Promise<void> {
  if (writes.every(({ ended }) => ended.length === 0)) return;
  const [written] = await tx.query<TransactionsWritten>(writeTransactions, valuesOf(writes, keepsUntold));
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

function valuesOf(writes: readonly TransactionWrite[], keepsUntold: boolean): readonly unknown[] {
  return writeTransactionsValues({
    ended: writes.flatMap(({ ended }) => ended),
    released: writes.flatMap(({ accounts }) => accounts),
    opened: writes.flatMap(({ intent, opened }) => (opened === undefined ? [] : [{ ...opened, leaseToken: intent.leaseToken }])),
    keepsUntold,
  });
}

function releaseAll(accounts: readonly LeaseHandle[], written: TransactionsWritten | undefined): void {
  for (const account of accounts) account.released(written?.wantedAccounts.includes(account.name) ?? false);
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
