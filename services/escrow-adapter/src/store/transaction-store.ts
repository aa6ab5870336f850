import { commitStatement, lookUpOrCommit, OutcomeUnknown, toAppError, type Database, type Tx } from '@holdfast/postgres';
import { LeaseLost } from '@holdfast/intents';
import type { Outbox } from '@holdfast/messaging/outbox';
import { type LeaseHandle } from '@holdfast/intents/leases';
import { transactions, type TransactionRow } from './schema.js';
import {
  accountInUse,
  type NewTransaction,
  type OpenTransaction,
  type TransactionStore,
  type TransactionWrite,
} from '@holdfast/ledger-network/submission';
import {
  endAndOpenTransaction,
  endAndOpenValues,
  endLastTransaction,
  endLastValues,
  endTransaction,
  endValues,
  findLive,
  openTransaction,
  openValues,
  type Ending,
  type OpenResult,
} from './transaction-sql.js';

export type TransactionStoreDeps = {
  readonly database: Pick<Database, 'pool'>;
  readonly outbox: Pick<Outbox, 'writeWithMessages'>;
};

export function transactionStore({ database: { pool }, outbox }: TransactionStoreDeps): TransactionStore {
  return {
    liveOf: async (intentId) =>
      (await pool.query<TransactionRow>(findLive, [intentId])).rows.map((row) => ({
        ...toOpen(row),
        state: row.state,
        ledger: row.ledger,
      })),
    write: (write) => writeDurably(pool, write),
    writeEnded: (tx, write) => writeEnded(outbox, tx, write),
  };
}

/** Committed when this resolves: an envelope is durable before it is submitted. */
async function writeDurably(pool: Database['pool'], write: TransactionWrite): Promise<void> {
  try {
    await writeOnce(pool, write);
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw toAppError(error);
    await lookUpOrCommit(async () => {
      if (await isStored(pool, write)) markReleased(write.accounts);
      else await writeOnce(pool, write);
    });
  }
}

async function writeOnce(pool: Database['pool'], write: TransactionWrite): Promise<void> {
  const { accounts, opened } = write;
  const endings = [...endingsOf(write)];
  const endedWithOpened = opened === undefined ? undefined : endings.pop();
  for (const ending of endings) await commitStatement(pool, endTransaction, endValues(ending));
  const written = opened === undefined ? [] : await open(pool, write, opened, endedWithOpened);
  markReleased(accounts);
  if (opened !== undefined) assertStored(write, written[0]);
}

/** What has ended before is in the same commit. */
function open(
  pool: Database['pool'],
  { intent }: TransactionWrite,
  opened: NewTransaction,
  ending: Ending | undefined,
): Promise<readonly OpenResult[]> {
  const row = { ...toRow(opened), leaseToken: intent.leaseToken };
  return ending === undefined
    ? commitStatement(pool, openTransaction, openValues(row))
    : commitStatement(pool, endAndOpenTransaction, endAndOpenValues(ending, row));
}

/** What a write has ended and released is in the commit of its envelope, or before it. Without an envelope it can be repeated. */
async function isStored(pool: Database['pool'], { opened }: TransactionWrite): Promise<boolean> {
  return opened !== undefined && (await pool.manager.existsBy(transactions.entity, { hash: opened.hash }));
}

/** The last one is written together with the reply of the intent. */
async function writeEnded(
  outbox: Pick<Outbox, 'writeWithMessages'>,
  tx: Tx,
  { ended, accounts }: Omit<TransactionWrite, 'opened'>,
): Promise<void> {
  const [last, ...before] = ended.toReversed();
  if (last === undefined) return;
  for (const each of before) await tx.query(endLastTransaction, endLastValues(each));
  outbox.writeWithMessages(tx, { ...endLastTransaction, values: endLastValues(last) });
  tx.afterCommit(() => markReleased(accounts));
}

/** Mostly one: an intent has one transaction after the other. Accounts are released once all have ended. */
function endingsOf({ ended, accounts }: Omit<TransactionWrite, 'opened'>): readonly Ending[] {
  const [account, ...others] = accounts;
  const [last, ...before] = ended.toReversed();
  if (last === undefined && account === undefined) return [];
  return [...before.map((each) => ({ ended: each })), { ended: last, account }, ...others.map((each) => ({ account: each }))];
}

function markReleased(accounts: readonly LeaseHandle[]): void {
  for (const account of accounts) account.markReleased();
}

function assertStored({ intent }: TransactionWrite, written: OpenResult | undefined): void {
  if (written?.isOpened === true) return;
  throw written?.isHeld === true ? accountInUse() : new LeaseLost(intent.id);
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
