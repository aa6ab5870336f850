import { formatUnits } from '../domain/units.js';
import type { LandedTransaction, LedgerHead } from '../store/records.js';
import { outerHash } from './find-transaction.js';
import { transactionToken } from './history.js';
import { isoTime } from './iso-time.js';
import { protocolVersion } from './network.js';
import { landedResultXdr } from './result-xdr.js';
import { feeUnitsPerOperation } from './validity.js';

/** The JSON of a landed transaction in Horizon's API. One in a fee bump has the hash by which it was looked up. */
export function transactionView(transaction: LandedTransaction, base: string, hash = outerHash(transaction)) {
  const { memo, validAfter, validBefore, source } = transaction;
  const self = `${base}/transactions/${hash}`;
  const isSuccessful = transaction.failure === undefined;
  return {
    _links: {
      self: { href: self },
      account: { href: `${base}/accounts/${source}` },
      ledger: { href: `${base}/ledgers/${transaction.ledger}` },
      operations: { href: `${self}/operations` },
    },
    id: hash,
    paging_token: transactionToken(transaction).toString(),
    successful: isSuccessful,
    hash,
    ledger: transaction.ledger,
    created_at: transaction.closedAt,
    source_account: source,
    source_account_sequence: transaction.sequence.toString(),
    fee_account: source,
    fee_charged: transaction.feeChargedUnits.toString(),
    max_fee: transaction.feeMaxUnits.toString(),
    signatures: transaction.signatures,
    ...feeBumpFacts(transaction, hash),
    operation_count: transaction.operations.length,
    envelope_xdr: transaction.envelopeXdr,
    result_xdr: landedResultXdr(transaction),
    memo_type: memo.type,
    memo: memo.value,
    valid_after: isoTime(validAfter * 1_000),
    valid_before: validBefore === 0 ? undefined : isoTime(validBefore * 1_000),
    preconditions: {
      timebounds: { min_time: String(validAfter), max_time: validBefore === 0 ? undefined : String(validBefore) },
    },
  };
}

function feeBumpFacts({ hash: innerHash, feeBump, feeMaxUnits, signatures }: LandedTransaction, shownHash: string) {
  if (feeBump === undefined) return {};
  return {
    fee_account: feeBump.source,
    max_fee: feeBump.feeMaxUnits.toString(),
    signatures: shownHash === innerHash ? signatures : feeBump.signatures,
    fee_bump_transaction: { hash: feeBump.hash, signatures: feeBump.signatures },
    inner_transaction: { hash: innerHash, signatures, max_fee: feeMaxUnits.toString() },
  };
}

export function ledgerView(head: LedgerHead, base: string) {
  return {
    _links: { self: { href: `${base}/ledgers/${head.sequence}` } },
    id: String(head.sequence).padStart(64, '0'),
    paging_token: (BigInt(head.sequence) << 32n).toString(),
    hash: String(head.sequence).padStart(64, '0'),
    sequence: head.sequence,
    closed_at: isoTime(head.closedAtMs),
    base_fee_in_stroops: Number(feeUnitsPerOperation),
    fee_pool: formatUnits(head.feePoolUnits),
    protocol_version: protocolVersion,
  };
}
