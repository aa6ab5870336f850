import { feeLedgers, sameFees, type FeeStatistics } from '../ledger-network/fee-statistics.js';
import { closeTimeOf, type LedgerView } from '../ledger-network/ledger-view.js';
import { protocolVersion, type Network } from '../ledger-network/network.js';
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

export function networkFacts({ passphrase }: Network) {
  return { passphrase, protocolVersion };
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

/** `getFeeStats`: without transactions of a kind in the last ledgers its fees are zero, as the real interface says. */
export function feeStats({ head, oldest }: LedgerView, statistics: FeeStatistics) {
  const ledgerCount = Math.min(feeLedgers, head.sequence - oldest.sequence + 1);
  const shown = (chosen: 'contract-calls' | 'others') => {
    const { transactions, fees } = statistics.of(head.sequence, 'charged', chosen) ?? sameFees('0');
    return { ...fees, transactionCount: String(transactions), ledgerCount };
  };
  return { sorobanInclusionFee: shown('contract-calls'), inclusionFee: shown('others'), latestLedger: head.sequence };
}
