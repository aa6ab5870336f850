import type { LedgerView } from './ledger-view.js';
import { sameFees } from './fee-statistics.js';
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

/** Horizon's statistics of what transactions are charged and what they offer, per operation. */
export function feeStats({ head }: LedgerView, minimumBid: bigint) {
  return {
    last_ledger: String(head.sequence),
    last_ledger_base_fee: feeUnitsPerOperation.toString(),
    ledger_capacity_usage: '0.01',
    fee_charged: sameFees(minimumBid),
    max_fee: sameFees(minimumBid),
  };
}
