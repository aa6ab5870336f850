import { sameFees } from '../ledger-network/fee-statistics.js';
import { closeTimeOf, type LedgerView } from '../ledger-network/ledger-view.js';
import { protocolVersion } from '../ledger-network/network.js';
import { closeMetaOf, headerOf, ledgerHash } from './ledger-header.js';

export function health({ head, oldest }: LedgerView) {
  return {
    status: 'healthy',
    latestLedger: head.sequence,
    oldestLedger: oldest.sequence,
    // Nothing is ever pruned, so the window is as large as the history.
    ledgerRetentionWindow: head.sequence - oldest.sequence + 1,
  };
}

export function latestLedger({ head }: LedgerView) {
  return {
    id: ledgerHash(head).toString('hex'),
    sequence: head.sequence,
    protocolVersion,
    closeTime: String(closeTimeOf(head)),
    headerXdr: headerOf(head).toXDR('base64'),
    metadataXdr: closeMetaOf(head).toXDR('base64'),
  };
}

/** `getFeeStats`, as if the last ledger had one transaction of each kind. */
export function feeStats({ head }: LedgerView, minimumBid: bigint) {
  const fees = { ...sameFees(minimumBid), transactionCount: '1', ledgerCount: 1 };
  return { sorobanInclusionFee: fees, inclusionFee: fees, latestLedger: head.sequence };
}
