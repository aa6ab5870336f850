import type { Instant } from '@holdfast/shared/context';
import type { Database, Tx, WriteRow } from '@holdfast/shared/postgres';
import { holdLeases, type Intent } from '../lanes/index.js';
import type { OwnTransaction } from '../use-cases/ports.js';
import { endTransactions, findLive, insertOpen } from './sql.js';

/** A transaction that may land: everything that is needed to submit it again and to know when it cannot any more. */
export type OpenTransaction = OwnTransaction & {
  readonly sequence: bigint;
  readonly envelope: string;
  readonly validUntil: Instant;
};

export type NewTransaction = OpenTransaction & {
  readonly intent: Pick<Intent, 'id' | 'leaseToken'>;
  readonly requestHash: string;
};
export type LiveTransaction = OpenTransaction & { readonly isOpen: boolean };
export type EndState = 'LANDED' | 'FAILED' | 'DEAD';

export type TransactionStore = ReturnType<typeof transactionStore>;

export function transactionStore({ pool }: Pick<Database, 'pool'>, writeRow: WriteRow) {
  return {
    /** With the commit, which fails where the lease of its intent is lost. */
    insertOpen: (tx: Tx, transaction: NewTransaction): void => {
      const { id, leaseToken } = transaction.intent;
      writeRow(tx, holdLeases, [id, leaseToken]);
      writeRow(tx, insertOpen, valuesOf(transaction));
    },
    /** With the commit. */
    end: (tx: Tx, hash: string, state: EndState): void => writeRow(tx, endTransactions, [hash, state]),
    /** In the order in which they were made: what has landed, and what may land. */
    liveOf: async (intentId: string): Promise<readonly LiveTransaction[]> => {
      return (await pool.query<LiveTransaction>({ ...findLive, values: [intentId] })).rows;
    },
  };
}

function valuesOf({ hash, intent, step, requestHash, sourceAccount, sequence, envelope, validUntil }: NewTransaction): unknown[] {
  return [hash, intent.id, step, requestHash, sourceAccount, sequence, envelope, validUntil, 'OPEN'];
}
