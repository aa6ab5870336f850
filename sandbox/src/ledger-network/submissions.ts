import type { LandedTransaction } from '../store/records.js';
import type { Store } from '../store/store.js';
import { findTransaction, outerHash } from './find-transaction.js';
import type { Ledgers } from './ledgers.js';
import { createPool, type QueueStatus } from './pool.js';
import type { SubmittedTransaction } from './submitted-transaction.js';
import { InvalidTransaction, bidsAtLeast, feeOf, feeUnitsPerOperation } from './validity.js';

/** The network does not take the transaction now, or it is in no ledger yet and may still land. */
export class NotLanded extends Error {
  readonly reason: 'try-again-later' | 'timeout';

  constructor(reason: NotLanded['reason']) {
    super(reason);
    this.name = 'NotLanded';
    this.reason = reason;
  }
}

export type Submissions = {
  /** Queues the transaction for a ledger, or throws InvalidTransaction. Without a ledger timer it lands at once. */
  readonly queue: (transaction: SubmittedTransaction) => QueueStatus;
  /** Queues and waits; returns the landed transaction, successful or failed. Throws InvalidTransaction or NotLanded. */
  readonly submit: (transaction: SubmittedTransaction) => Promise<LandedTransaction>;
  /** Closes a ledger with the pending transactions that bid enough. Those that have become invalid are dropped. */
  readonly closeLedger: () => void;
  /** The lowest bid per operation that gets into a ledger. */
  readonly minimumBid: () => bigint;
  readonly setMinimumBid: (units: bigint) => void;
  readonly stop: () => void;
};

type SubmissionsOptions = { readonly store: Store; readonly ledgers: Ledgers; readonly hasTimer: boolean };

/** A caller that waits for a transaction gives up after this many ledgers: 50 seconds on a network with ledgers of 5 seconds. */
const ledgersWaitedMax = 10;

/** The way of a transaction into a ledger. Without a ledger timer it closes one of its own, unless it bids too little. */
export function createSubmissions({ store, ledgers, hasTimer }: SubmissionsOptions): Submissions {
  const pool = createPool();
  let minimumBid = feeUnitsPerOperation;
  let isStopped = false;

  const queue = (transaction: SubmittedTransaction): QueueStatus => {
    if (findTransaction(store.find, transaction.hash) !== undefined) throw landedBefore(transaction);
    const status = pool.statusOf(transaction);
    if (status !== 'PENDING') return status;
    if (hasTimer || !bidsAtLeast(transaction, minimumBid)) {
      ledgers.requireValid(transaction);
      pool.put(transaction);
    } else {
      ledgers.closeWith(transaction, minimumBid);
      pool.remove(transaction);
    }
    return status;
  };

  const submit = async (transaction: SubmittedTransaction): Promise<LandedTransaction> => {
    const known = findTransaction(store.find, outerHash(transaction));
    if (known !== undefined) return known;
    if (queue(transaction) === 'TRY_AGAIN_LATER') throw new NotLanded('try-again-later');
    for (let waited = 0; waited < ledgersWaitedMax && !isStopped; waited += 1) {
      const landed = store.find('transactions', transaction.hash);
      if (landed !== undefined) return landed;
      // A transaction that was dropped is invalid now, and this throws why.
      if (!pool.has(transaction)) ledgers.requireValid(transaction);
      await ledgers.nextClose();
    }
    throw new NotLanded('timeout');
  };

  const closeLedger = (): void => {
    const pending = pool.all();
    const chosen = new Set(pending.filter((each) => bidsAtLeast(each, minimumBid)));
    ledgers.close([...chosen], minimumBid);
    for (const each of pending) if (chosen.has(each) || !ledgers.isValid(each)) pool.remove(each);
  };

  return {
    queue,
    submit,
    closeLedger,
    minimumBid: () => minimumBid,
    setMinimumBid: (units) => {
      minimumBid = units;
      if (!hasTimer && pool.all().length > 0) closeLedger();
    },
    stop: () => {
      isStopped = true;
      ledgers.wakeWaiting();
    },
  };
}

/** The sequence number of a landed transaction is used up, also where it landed in another fee bump. */
function landedBefore(transaction: SubmittedTransaction): InvalidTransaction {
  const innerHash = transaction.feeBump === undefined ? undefined : transaction.hash;
  return new InvalidTransaction('tx_bad_seq', feeOf(transaction), innerHash);
}
