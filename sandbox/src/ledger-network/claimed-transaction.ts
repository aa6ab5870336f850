import type { LandedTransaction } from '../store/records.js';
import { withoutEffect } from './apply-submitted-operation.js';
import { isoTime } from './iso-time.js';
import { landedTransaction } from './land.js';
import type { Network } from './network.js';
import type { SubmittedTransaction } from './submitted-transaction.js';
import { feeOf } from './validity.js';

/** What a landed transaction would look like; it is in no ledger. */
export function claimedTransaction(network: Network, transaction: SubmittedTransaction): LandedTransaction {
  const head = network.closedLedger();
  const closing = { head: { ...head, sequence: head.sequence + 1 }, closedAt: isoTime(head.closedAtMs), applicationOrder: 1 };
  return landedTransaction(transaction, feeOf(transaction), closing, { operations: transaction.operations.map(withoutEffect) });
}
