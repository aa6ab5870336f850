import { commitStatement, lookUpOrCommit, OutcomeUnknown, toAppError, type Database, type Tx } from '@holdfast/postgres';
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

export function transactionStore({ database: { pool } }: TransactionStoreDeps): TransactionStore {
  return {
    liveOf: async (intentId) =>
      (await pool.query<TransactionRow>(findLive, [intentId])).rows.map((row) => ({
        ...toOpen(row),
        state: row.state,
        ledger: row.ledger,
      })),
    write: (write) => writeDurably(pool, write),
    writeEnded,
  };
}

/** One statement, which is committed when this resolves: an envelope is durable before it is submitted. */
async function writeDurably(pool: Database['pool'], write: TransactionWrite): Promise<void> {
  try {
    await writeOnce(pool, write);
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw toAppError(error);
    await lookUpOrCommit(async () => {
      if (await isStored(pool, write)) releaseAll(write.accounts, undefined);
      else await writeOnce(pool, write);
    });
  }
}

async function writeOnce(pool: Database['pool'], write: TransactionWrite): Promise<void> {
  const [written] = await commitStatement<TransactionsWritten>(pool, writeTransactions, valuesOf(write));
  releaseAll(write.accounts, written);
  assertStored(write, written);
}

/** What a write has ended and released is in the commit of its envelope. Without one it can be repeated. */
async function isStored(pool: Database['pool'], { opened }: TransactionWrite): Promise<boolean> {
  return opened !== undefined && (await pool.manager.existsBy(transactions.entity, { hash: opened.hash }));
}

async function writeEnded(tx: Tx, write: TransactionWrite): Promise<void> {
  if (write.ended.length === 0) return;
  const [written] = await tx.query<TransactionsWritten>(writeTransactions, valuesOf(write));
  tx.afterCommit(() => releaseAll(write.accounts, written));
}

function valuesOf({ intent, ended, accounts, opened }: TransactionWrite): readonly unknown[] {
  return writeTransactionsValues({
    ended,
    released: accounts,
    opened: opened === undefined ? [] : [{ ...toRow(opened), leaseToken: intent.leaseToken }],
  });
}

function releaseAll(accounts: readonly LeaseHandle[], written: TransactionsWritten | undefined): void {
  for (const account of accounts) account.markReleased(written?.accountsWithWaiters.includes(account.name) ?? false);
}

function assertStored({ intent, opened }: TransactionWrite, written: TransactionsWritten | undefined): void {
  if (opened === undefined || written?.openedHashes.includes(opened.hash) === true) return;
  throw written?.heldIntents.includes(intent.id) === true ? accountInUse() : new LeaseLost(intent.id);
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
