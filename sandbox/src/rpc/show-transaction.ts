import { z } from 'zod';
import { findTransaction, outerHash } from '../ledger-network/find-transaction.js';
import { closeTimeOf, type LedgerView } from '../ledger-network/ledger-view.js';
import { landedResultXdr } from '../ledger-network/result-xdr.js';
import type { LandedTransaction } from '../store/records.js';
import { parseParams } from './json-rpc.js';
import { transactionMeta } from './transaction-meta.js';

const paramsShape = z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits') });

/** `getTransaction`: the result and the ledgers that the node knows, which make a missing transaction a proof. */
export function showTransaction(view: LedgerView, params: unknown) {
  const { hash } = parseParams(paramsShape, params);
  const landed = findTransaction(view.find, hash);
  const known = {
    latestLedger: view.head.sequence,
    // The real interface sends times as text, although the SDK's types say numbers.
    latestLedgerCloseTime: String(closeTimeOf(view.head)),
    oldestLedger: view.oldest.sequence,
    oldestLedgerCloseTime: String(closeTimeOf(view.oldest)),
  };
  return landed === undefined ? { status: 'NOT_FOUND', txHash: hash, ...known } : { ...landedFacts(landed), ...known };
}

function landedFacts(landed: LandedTransaction) {
  return {
    status: landed.failure === undefined ? 'SUCCESS' : 'FAILED',
    txHash: outerHash(landed),
    applicationOrder: landed.applicationOrder,
    feeBump: landed.feeBump !== undefined,
    envelopeXdr: landed.envelopeXdr,
    resultXdr: landedResultXdr(landed),
    ...transactionMeta(landed),
    ledger: landed.ledger,
    createdAt: String(Math.floor(Date.parse(landed.closedAt) / 1_000)),
  };
}
