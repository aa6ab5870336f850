import type { LedgerHead } from '../store/records.js';
import { isoTime, type Network } from './network.js';
import { feeUnitsPerOperation } from './validity.js';

export function rootView(network: Network, base: string) {
  const head = network.closedLedger();
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
    history_elder_ledger: 1,
    core_latest_ledger: head.sequence,
    network_passphrase: network.passphrase,
    current_protocol_version: 22,
    supported_protocol_version: 22,
    core_supported_protocol_version: 22,
  };
}

const percentiles = ['max', 'min', 'mode', 'p10', 'p20', 'p30', 'p40', 'p50', 'p60', 'p70', 'p80', 'p90', 'p95', 'p99'];

/** Ledgers have no capacity limit, so every fee is the minimum fee. */
export function feeStats(head: LedgerHead) {
  const fee = feeUnitsPerOperation.toString();
  const same = Object.fromEntries(percentiles.map((name) => [name, fee]));
  return {
    last_ledger: String(head.sequence),
    last_ledger_base_fee: fee,
    ledger_capacity_usage: '0.01',
    fee_charged: same,
    max_fee: same,
  };
}
