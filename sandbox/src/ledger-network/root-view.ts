import type { LedgerHead } from '../store/records.js';
import type { LedgerView } from './ledger-view.js';
import { sameFees, type FeeStatistics } from './fee-statistics.js';
import { isoTime } from './iso-time.js';
import { protocolVersion } from './network.js';
import { feeUnitsPerOperation } from './validity.js';

export function rootView(passphrase: string, { head, oldest }: LedgerView, base: string) {
  return {
    _links: {
      account: { href: `${base}/accounts/{account_id}`, templated: true },
      transaction: { href: `${base}/transactions/{hash}`, templated: true },
      friendbot: { href: `${base}/friendbot{?addr}`, templated: true },
    },
    horizon_version: 'sandbox',
    core_version: 'sandbox',
    history_latest_ledger: head.sequence,
    history_latest_ledger_closed_at: isoTime(head.closedAtMs),
    history_elder_ledger: oldest.sequence,
    core_latest_ledger: head.sequence,
    network_passphrase: passphrase,
    current_protocol_version: protocolVersion,
    supported_protocol_version: protocolVersion,
    core_supported_protocol_version: protocolVersion,
  };
}

/** Horizon's statistics of what transactions were charged and what they offered, per operation. */
export function feeStats({ sequence }: LedgerHead, statistics: FeeStatistics) {
  const baseFee = feeUnitsPerOperation.toString();
  const shown = (fee: 'charged' | 'max') => (statistics.of(sequence, fee) ?? sameFees(baseFee)).fees;
  return {
    last_ledger: String(sequence),
    last_ledger_base_fee: baseFee,
    ledger_capacity_usage: '0.01',
    fee_charged: shown('charged'),
    max_fee: shown('max'),
  };
}
