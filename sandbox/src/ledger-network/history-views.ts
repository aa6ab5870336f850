import { formatUnits } from '../domain/units.js';
import type { LandedOperation, LandedTransaction, LedgerHead } from '../store/records.js';
import { assetView } from './account-view.js';
import { entryToken, transactionToken, type HistoryEntry } from './history.js';
import { isoTime } from './network.js';
import { failedResultXdr, successResultXdr } from './result-xdr.js';
import { feeUnitsPerOperation } from './validity.js';

/** The JSON of a landed transaction in Horizon's API. */
export function transactionView(transaction: LandedTransaction, base: string) {
  const { hash, memo, validAfter, validBefore, source } = transaction;
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
    operation_count: transaction.operations.length,
    envelope_xdr: transaction.envelopeXdr,
    result_xdr: isSuccessful ? successResultXdr(transaction) : failedResultXdr(transaction),
    memo_type: memo.type,
    memo: memo.value,
    signatures: transaction.signatures,
    valid_after: isoTime(validAfter * 1_000),
    valid_before: validBefore === 0 ? undefined : isoTime(validBefore * 1_000),
    preconditions: {
      timebounds: { min_time: String(validAfter), max_time: validBefore === 0 ? undefined : String(validBefore) },
    },
  };
}

const operationTypes = {
  create_account: { type: 'create_account', type_i: 0 },
  payment: { type: 'payment', type_i: 1 },
  change_trust: { type: 'change_trust', type_i: 6 },
  contract_call: { type: 'invoke_host_function', type_i: 24 },
} as const;

/** The JSON of an operation in Horizon's API, also in lists of payments. */
export function operationView(entry: HistoryEntry, base: string) {
  const { transaction, index } = entry;
  const operation = transaction.operations[index];
  if (operation === undefined) throw new Error('a history entry must point to an existing operation');
  const id = entryToken(entry).toString();
  const { type, type_i } = operationTypes[operation.kind];
  return {
    ...factsOf(operation),
    _links: {
      self: { href: `${base}/operations/${id}` },
      transaction: { href: `${base}/transactions/${transaction.hash}` },
    },
    id,
    paging_token: id,
    transaction_successful: transaction.failure === undefined,
    source_account: operation.source,
    type,
    type_i,
    created_at: transaction.closedAt,
    transaction_hash: transaction.hash,
  };
}

function factsOf(operation: LandedOperation): Readonly<Record<string, unknown>> {
  switch (operation.kind) {
    case 'create_account':
      return {
        starting_balance: formatUnits(operation.units),
        funder: operation.source,
        account: operation.destination,
      };
    case 'payment':
      return {
        ...assetView(operation.asset),
        from: operation.source,
        to: operation.to,
        amount: formatUnits(operation.units),
      };
    case 'change_trust':
      return { ...assetView(operation.asset), trustor: operation.source, limit: formatUnits(operation.limitUnits) };
    case 'contract_call':
      return {
        function: 'HostFunctionTypeHostFunctionTypeInvokeContract',
        address: operation.contractId,
        parameters: [],
        asset_balance_changes: operation.transfers.map(({ from, to, asset, units }) => ({
          ...assetView(asset),
          type: 'transfer',
          from,
          to,
          amount: formatUnits(units),
        })),
      };
  }
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
    protocol_version: 22,
  };
}
