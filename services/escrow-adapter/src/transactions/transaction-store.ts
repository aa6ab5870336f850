import type { Database, Tx } from '@holdfast/shared/postgres';
import type { TransactionRow } from '../store/schema.js';
import type { EndState, NewTransaction, OpenTransaction } from '../use-cases/ports.js';
import { endTransactions, findLive, findTransaction, insertTransactions } from './sql.js';

export type LiveTransaction = OpenTransaction & { readonly isOpen: boolean };
export type EndedTransaction = { readonly hash: string; readonly state: EndState };

export type TransactionStore = {
  /** In the order in which they were made: what has landed for the intent, and what may land. */
  readonly liveOf: (intentId: string) => Promise<readonly LiveTransaction[]>;
  readonly isStored: (tx: Tx, hash: string) => Promise<boolean>;
};

export function transactionStore({ pool }: Pick<Database, 'pool'>): TransactionStore {
  return {
    liveOf: async (intentId) =>
      (await pool.query<TransactionRow>(findLive, [intentId])).rows.map((row) => ({
        ...toOpen(row),
        isOpen: row.state === 'OPEN',
      })),
    isStored: async (tx, hash) => (await tx.query(findTransaction, [hash])).length > 0,
  };
}

export async function insertOpen(tx: Tx, transactions: readonly NewTransaction[]): Promise<void> {
  if (transactions.length > 0) await tx.query(insertTransactions(transactions.map(toRow)));
}

/** Those that had ended before stay as they are. */
export async function endAll(tx: Tx, ended: readonly EndedTransaction[]): Promise<void> {
  if (ended.length > 0) await tx.query(endTransactions(ended));
}

export function toRow(transaction: NewTransaction): TransactionRow {
  return { ...transaction, state: 'OPEN' };
}

export function toOpen({ hash, step, sourceAccount, sequence, envelope, validUntil }: TransactionRow): OpenTransaction {
  return { hash, step, sourceAccount, sequence, envelope, validUntil };
}
