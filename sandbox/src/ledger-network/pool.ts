import { outerHash } from './find-transaction.js';
import type { SubmittedTransaction } from './submitted-transaction.js';
import { InvalidTransaction, feeOf, replacementFee } from './validity.js';

/** The results of queueing, by the names of the network. */
export type QueueStatus = 'PENDING' | 'DUPLICATE' | 'TRY_AGAIN_LATER';

/** Accepted transactions that wait for a ledger, at most one for each source account. It is in memory only, as on the network. */
export type Pool = {
  /** How the transaction would be queued. Throws InvalidTransaction where it can never replace the pending one. */
  readonly statusOf: (transaction: SubmittedTransaction) => QueueStatus;
  /** Replaces a pending transaction of the same source account. */
  readonly put: (transaction: SubmittedTransaction) => void;
  readonly remove: (transaction: SubmittedTransaction) => void;
  /** Whether the transaction waits, by itself or inside another fee bump. */
  readonly has: (transaction: SubmittedTransaction) => boolean;
  readonly all: () => readonly SubmittedTransaction[];
};

const transactionsMax = 5_000;

export function createPool(): Pool {
  const bySource = new Map<string, SubmittedTransaction>();
  return {
    statusOf: (transaction) => {
      const pending = bySource.get(transaction.source);
      if (pending !== undefined) return statusBeside(pending, transaction);
      return bySource.size < transactionsMax ? 'PENDING' : 'TRY_AGAIN_LATER';
    },
    put: (transaction) => void bySource.set(transaction.source, transaction),
    remove: ({ source }) => void bySource.delete(source),
    has: ({ source, hash }) => bySource.get(source)?.hash === hash,
    all: () => [...bySource.values()],
  };
}

/** Only a fee bump with the same sequence number replaces a pending transaction, and only with a much higher bid. */
function statusBeside(pending: SubmittedTransaction, transaction: SubmittedTransaction): QueueStatus {
  const isSame = outerHash(pending) === outerHash(transaction);
  const isInside = transaction.feeBump === undefined && pending.hash === transaction.hash;
  if (isSame || isInside) return 'DUPLICATE';
  if (transaction.sequence < pending.sequence) throw new InvalidTransaction('tx_bad_seq', feeOf(transaction));
  if (transaction.feeBump === undefined || transaction.sequence !== pending.sequence) return 'TRY_AGAIN_LATER';
  const fee = replacementFee(pending, transaction);
  if (transaction.feeBump.feeMaxUnits < fee) throw new InvalidTransaction('tx_insufficient_fee', fee);
  return 'PENDING';
}
