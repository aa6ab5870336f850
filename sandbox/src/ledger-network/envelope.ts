import { FeeBumpTransaction, TransactionBuilder, xdr, type Memo as SdkMemo, type Transaction } from '@stellar/stellar-sdk';
import type { Memo } from '../store/records.js';
import { parseOperation } from './parse-operation.js';
import type { SubmittedOperation, SubmittedTransaction } from './submitted-transaction.js';

/** What was sent is no transaction, or one of a kind that is not played here. */
export class MalformedEnvelope extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'MalformedEnvelope';
  }
}

export function parseEnvelope(envelopeXdr: string, networkPassphrase: string): SubmittedTransaction {
  const transaction = readTransaction(envelopeXdr, networkPassphrase);
  if (transaction instanceof FeeBumpTransaction) throw new MalformedEnvelope('fee bumps are not played here');
  if (hasOtherPreconditions(transaction)) throw new MalformedEnvelope('of all preconditions only time bounds are played here');
  if (!transaction.source.startsWith('G')) throw new MalformedEnvelope('muxed accounts are not played here');
  const hashBytes = transaction.hash();
  return {
    hash: hashBytes.toString('hex'),
    hashBytes,
    source: transaction.source,
    sequence: BigInt(transaction.sequence),
    feeMaxUnits: BigInt(transaction.fee),
    minTime: Number(transaction.timeBounds?.minTime ?? 0),
    maxTime: Number(transaction.timeBounds?.maxTime ?? 0),
    memo: memoOf(transaction.memo),
    operations: transaction.operations.map((operation) => submittedOperation(operation, transaction.source)),
    signatures: transaction.signatures.map((entry) => ({ hint: entry.hint(), signature: entry.signature() })),
    envelopeXdr,
  };
}

function readTransaction(envelopeXdr: string, networkPassphrase: string): Transaction | FeeBumpTransaction {
  try {
    return TransactionBuilder.fromXDR(xdr.TransactionEnvelope.fromXDR(envelopeXdr, 'base64'), networkPassphrase);
  } catch (error) {
    throw new MalformedEnvelope('the envelope cannot be read', { cause: error });
  }
}

function submittedOperation(operation: Transaction['operations'][number], transactionSource: string): SubmittedOperation {
  const parsed = parseOperation(operation, operation.source ?? transactionSource);
  if (parsed === undefined) throw new MalformedEnvelope(`the operation ${operation.type} is not played here`);
  return parsed;
}

function hasOtherPreconditions(transaction: Transaction): boolean {
  return (
    transaction.ledgerBounds !== undefined ||
    transaction.minAccountSequence !== undefined ||
    (transaction.minAccountSequenceAge !== undefined && transaction.minAccountSequenceAge.toString() !== '0') ||
    (transaction.minAccountSequenceLedgerGap ?? 0) !== 0 ||
    (transaction.extraSigners?.length ?? 0) > 0
  );
}

function memoOf({ type, value }: SdkMemo): Memo {
  if (value === null || type === 'none') return { type: 'none' };
  if (type === 'text' || type === 'id') return { type, value: value.toString() };
  return { type, value: Buffer.from(value).toString('base64') };
}
