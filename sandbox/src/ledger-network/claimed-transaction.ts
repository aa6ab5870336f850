import type { LandedTransaction } from '../store/records.js';
import { withoutEffect } from './apply-submitted-operation.js';
import { isoTime } from './iso-time.js';
import { encodedSignatures, landedFeeBump } from './land.js';
import type { Network } from './network.js';
import type { SubmittedTransaction } from './submitted-transaction.js';
import { feeOf } from './validity.js';

/** What a landed transaction would look like; it is in no ledger. */
export function claimedTransaction(network: Network, transaction: SubmittedTransaction): LandedTransaction {
  const { hash, source, sequence, feeMaxUnits, envelopeXdr, memo, minTime, maxTime } = transaction;
  const { sequence: ledger, closedAtMs } = network.closedLedger();
  return {
    hash,
    ledger: ledger + 1,
    applicationOrder: 1,
    closedAt: isoTime(closedAtMs),
    source,
    sequence,
    feeChargedUnits: feeOf(transaction),
    feeMaxUnits,
    resourceFeeUnits: transaction.resourceFeeUnits,
    envelopeXdr,
    signatures: encodedSignatures(transaction),
    feeBump: landedFeeBump(transaction),
    memo,
    validAfter: minTime,
    validBefore: maxTime,
    operations: transaction.operations.map((operation) => withoutEffect(operation)),
  };
}
