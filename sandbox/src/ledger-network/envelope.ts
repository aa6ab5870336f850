import { hash } from 'node:crypto';
import { FeeBumpTransaction, Transaction, xdr, type Memo } from '@stellar/stellar-sdk';
import type { Memo as LandedMemo } from '../store/records.js';
import { readFootprint } from './footprint.js';
import type { Signature } from './keys.js';
import { parseOperation, type OperationRecord } from './parse-operation.js';
import type { SubmittedFeeBump, SubmittedOperation, SubmittedTransaction } from './submitted-transaction.js';

/** The envelope is not a transaction, or it has a kind that the sandbox does not support. */
export class MalformedEnvelope extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'MalformedEnvelope';
  }
}

/** The network id is part of the signed bytes, so that a signature is valid on one network only. */
export function networkIdOf(passphrase: string): Buffer {
  return hash('sha256', passphrase, 'buffer');
}

export function parseEnvelope(envelopeXdr: string, passphrase: string): SubmittedTransaction {
  const { transaction, resources, feeBump } = readEnvelope(envelopeXdr, passphrase);
  const { source } = transaction;
  if (!source.startsWith('G') || feeBump?.feeSource.startsWith('M') === true)
    throw new MalformedEnvelope('muxed accounts are not supported');
  const hashBytes = transaction.hash();
  return {
    hash: hashBytes.toString('hex'),
    hashBytes,
    source,
    sequence: BigInt(transaction.sequence),
    feeMaxUnits: BigInt(transaction.fee),
    resourceFeeUnits: resources?.resourceFee().toBigInt(),
    footprint: resources === undefined ? undefined : readFootprint(resources),
    ...timesOf(transaction),
    memo: memoOf(transaction.memo),
    operations: transaction.operations.map((operation, index) =>
      submittedOperation(operation, source, {
        claimableBalanceId: () => transaction.getClaimableBalanceId(index),
        body: () => bodyOf(transaction, index),
      }),
    ),
    signatures: signaturesOf(transaction),
    feeBump: feeBump === undefined ? undefined : submittedFeeBump(feeBump),
    envelopeXdr,
  };
}

function bodyOf(transaction: Transaction, index: number): xdr.OperationBody {
  const operation = transaction.toEnvelope().v1().tx().operations()[index];
  if (operation === undefined) throw new MalformedEnvelope('the envelope has fewer operations than its transaction');
  return operation.body();
}

function timesOf({ timeBounds }: Transaction) {
  return { validAfter: Number(timeBounds?.minTime ?? 0), validBefore: Number(timeBounds?.maxTime ?? 0) };
}

type Envelope = {
  readonly transaction: Transaction;
  readonly resources: xdr.SorobanTransactionData | undefined;
  readonly feeBump?: FeeBumpTransaction;
};

function readEnvelope(envelopeXdr: string, passphrase: string): Envelope {
  try {
    const envelope = xdr.TransactionEnvelope.fromXDR(envelopeXdr, 'base64');
    switch (envelope.switch()) {
      case xdr.EnvelopeType.envelopeTypeTx():
        return { transaction: new Transaction(envelope, passphrase), resources: resourcesOf(envelope.v1().tx()) };
      case xdr.EnvelopeType.envelopeTypeTxFeeBump(): {
        const feeBump = new FeeBumpTransaction(envelope, passphrase);
        const resources = resourcesOf(envelope.feeBump().tx().innerTx().v1().tx());
        return { transaction: feeBump.innerTransaction, resources, feeBump };
      }
      default:
        throw new MalformedEnvelope('envelopes of version 0 are not supported');
    }
  } catch (error) {
    throw error instanceof MalformedEnvelope ? error : new MalformedEnvelope('the envelope cannot be read', { cause: error });
  }
}

function resourcesOf(transaction: xdr.Transaction): xdr.SorobanTransactionData | undefined {
  if (transaction.cond().switch() === xdr.PreconditionType.precondV2()) {
    throw new MalformedEnvelope('preconditions other than time bounds are not supported');
  }
  const extension = transaction.ext();
  return extension.switch() === 0 ? undefined : extension.sorobanData();
}

function submittedFeeBump(feeBump: FeeBumpTransaction): SubmittedFeeBump {
  const hashBytes = feeBump.hash();
  return {
    hash: hashBytes.toString('hex'),
    hashBytes,
    source: feeBump.feeSource,
    feeMaxUnits: BigInt(feeBump.fee),
    signatures: signaturesOf(feeBump),
  };
}

function signaturesOf({ signatures }: Transaction | FeeBumpTransaction): readonly Signature[] {
  return signatures.map((entry) => ({ hint: entry.hint(), signature: entry.signature() }));
}

function submittedOperation(
  operation: OperationRecord,
  transactionSource: string,
  inEnvelope: Omit<Parameters<typeof parseOperation>[1], 'source'>,
): SubmittedOperation {
  const source = operation.source ?? transactionSource;
  const parsed = source.startsWith('G') ? parseOperation(operation, { source, ...inEnvelope }) : undefined;
  if (parsed === undefined) throw new MalformedEnvelope(`the operation ${operation.type} is not supported`);
  return parsed;
}

function memoOf({ type, value }: Memo): LandedMemo {
  if (value === null || type === 'none') return { type: 'none' };
  if (type === 'text' || type === 'id') return { type, value: value.toString() };
  return { type, value: Buffer.from(value).toString('base64') };
}
