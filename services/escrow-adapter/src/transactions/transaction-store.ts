import { createCommitBatcher } from '@holdfast/messaging/batching';
import { commitStatement, type Database, type Tx } from '@holdfast/postgres';
import { IntentPaused, LeaseLost, type IntentLease } from '@holdfast/intents';
import { type LeaseHandle } from '@holdfast/intents/leases';
import type { TransactionRow } from '../store/schema.js';
import type { EndedTransaction, NewTransaction, OpenTransaction } from '../use-cases/ports.js';
import {
  findLive,
  findOpenOfOthers,
  findTransaction,
  writeTransactions,
  writeTransactionsValues,
  type TransactionsWritten,
} from './transaction-sql.js';

/** An open transaction, or one that has landed. */
export type LiveTransaction = OpenTransaction & Pick<TransactionRow, 'state' | 'ledger'>;

/** The transaction writes of one intent. */
export type TransactionWrite = {
  readonly intent: IntentLease;
  /** Recorded even if the intent's lease was lost, because the end of a transaction is a fact. */
  readonly ended: readonly EndedTransaction[];
  /** Source accounts whose leases are released. */
  readonly accounts: readonly LeaseHandle[];
  /**
   * May be submitted after the commit. Not stored, and LeaseLost is thrown, if another process has claimed the intent; or
   * IntentPaused, if another transaction of the account is open.
   */
  readonly opened?: NewTransaction;
};

export type TransactionStore = {
  /** Open transactions of the intent and those that have landed, oldest first. */
  readonly liveOf: (intentId: string) => Promise<readonly LiveTransaction[]>;
  /** Whether a transaction of the account that belongs to another intent may still land. */
  readonly isUsedByOthers: (sourceAccount: string, intentId: string) => Promise<boolean>;
  /** Batched with the writes of other intents into one commit. */
  readonly write: (write: TransactionWrite) => Promise<void>;
  /** Records ended transactions in the transaction that closes their intent. */
  readonly writeEnded: (tx: Tx, write: Omit<TransactionWrite, 'opened'>) => Promise<void>;
};

export type TransactionStoreDeps = { readonly database: Pick<Database, 'pool'> };

const batchLimits = { sizeMax: 32, batchDelayMs: 10, inFlightMax: 4, waitingMax: 10_000 };

export function transactionStore({ database: { pool } }: TransactionStoreDeps): TransactionStore {
  const { submit } = createCommitBatcher<TransactionWrite, undefined>({
    ...batchLimits,
    commit: async (writes, { mayBeCommitted }) => {
      const missing = mayBeCommitted ? await withoutStored(pool, writes) : writes;
      const [written] = await commitStatement<TransactionsWritten>(pool, writeTransactions, valuesOf(missing));
      for (const { accounts } of writes) releaseAll(accounts, written);
      return writes.map((write) => resultOf(write, missing, written));
    },
    keyOf: ({ intent }) => intent.id,
  });
  return {
    liveOf: async (intentId) =>
      (await pool.query<TransactionRow>(findLive, [intentId])).rows.map((row) => ({
        ...toOpen(row),
        state: row.state,
        ledger: row.ledger,
      })),
    isUsedByOthers: async (sourceAccount, intentId) =>
      (await pool.query(findOpenOfOthers, [sourceAccount, intentId])).rows.length > 0,
    write: submit,
    writeEnded,
  };
}

async function writeEnded(tx: Tx, write: TransactionWrite): Promise<void> {
  if (write.ended.length === 0) return;
  const [written] = await tx.query<TransactionsWritten>(writeTransactions, valuesOf([write]));
  tx.afterCommit(() => releaseAll(write.accounts, written));
}

async function withoutStored(pool: Database['pool'], writes: readonly TransactionWrite[]): Promise<readonly TransactionWrite[]> {
  const isStored = await Promise.all(
    writes.map(async ({ opened }) => opened !== undefined && (await pool.query(findTransaction, [opened.hash])).rows.length > 0),
  );
  return writes.filter((_, index) => isStored[index] === false);
}

function valuesOf(writes: readonly TransactionWrite[]): readonly unknown[] {
  return writeTransactionsValues({
    ended: writes.flatMap(({ ended }) => ended),
    released: writes.flatMap(({ accounts }) => accounts),
    opened: writes.flatMap(({ intent, opened }) =>
      opened === undefined ? [] : [{ ...toRow(opened), leaseToken: intent.leaseToken }],
    ),
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
  const isLeftOut = opened !== undefined && missing.includes(write) && written?.openedHashes.includes(opened.hash) !== true;
  if (!isLeftOut) return { status: 'fulfilled', value: undefined };
  const isHeld = written?.heldIntents.includes(intent.id) === true;
  return { status: 'rejected', reason: isHeld ? accountInUse() : new LeaseLost(intent.id) };
}

const inUseRetryMs = 1_000;

/** One transaction at a time per source account: the others wait, and that is no failed attempt. */
export function accountInUse(): IntentPaused {
  return new IntentPaused('another transaction of the source account may still land', inUseRetryMs);
}

export function toRow({ transfers, ...transaction }: NewTransaction): TransactionRow {
  const asText = transfers?.map((transfer) => ({ ...transfer, units: transfer.units.toString() })) ?? null;
  return { ...transaction, transfers: asText, state: 'OPEN', ledger: null };
}

export function toOpen(row: TransactionRow): OpenTransaction {
  const { hash, step, sourceAccount, sequence, envelope, validUntil, firstLedger } = row;
  const transfers = row.transfers?.map((transfer) => ({ ...transfer, units: BigInt(transfer.units) })) ?? null;
  return { hash, step, sourceAccount, sequence, envelope, validUntil, firstLedger, transfers };
}
