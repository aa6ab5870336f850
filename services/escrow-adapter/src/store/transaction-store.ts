import { In, IsNull, Not } from 'typeorm';
import { createCommitBatcher } from '@holdfast/messaging/batching';
import { commitStatement, type Database, type Tx } from '@holdfast/postgres';
import { LeaseLost } from '@holdfast/intents';
import { type LeaseHandle } from '@holdfast/intents/leases';
import { transactions, type TransactionRow } from './schema.js';
import {
  accountInUse,
  type NewTransaction,
  type OpenTransaction,
  type TransactionStore,
  type TransactionWrite,
} from '@holdfast/ledger-network/submission';
import { findLive, writeTransactions, writeTransactionsValues, type TransactionsWritten } from './transaction-sql.js';

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
    isUsedByOthers: (sourceAccount, intentId) => {
      const open = { sourceAccount, state: 'OPEN' } as const;
      const ofOthers = [
        { ...open, intentId: Not(intentId) },
        { ...open, intentId: IsNull() },
      ];
      return pool.manager.existsBy(transactions.entity, ofOthers);
    },
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
  const hash = In(writes.flatMap(({ opened }) => opened?.hash ?? []));
  const stored = await pool.manager.find(transactions.entity, { select: { hash: true }, where: { hash } });
  const isStored = new Set(stored.map((row) => row.hash));
  return writes.filter(({ opened }) => opened === undefined || !isStored.has(opened.hash));
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

export function toRow({ transfers, ...transaction }: NewTransaction): TransactionRow {
  const asText = transfers?.map((transfer) => ({ ...transfer, units: transfer.units.toString() })) ?? null;
  return { ...transaction, transfers: asText, state: 'OPEN', ledger: null };
}

export function toOpen(row: TransactionRow): OpenTransaction {
  const { hash, step, sourceAccount, sequence, envelope, validUntil, firstLedger } = row;
  const transfers = row.transfers?.map((transfer) => ({ ...transfer, units: BigInt(transfer.units) })) ?? null;
  return { hash, step, sourceAccount, sequence, envelope, validUntil, firstLedger, transfers };
}
