import { hash } from 'node:crypto';
import { Memo, Operation, xdr } from '@stellar/stellar-sdk';
import { accountAddress } from '../contract-calls/addresses.js';
import type { Memo as LandedMemo } from '../store/records.js';
import { parseOperation, type OperationRecord } from './parse-operation.js';
import type { SubmittedOperation, SubmittedTransaction } from './submitted-transaction.js';

/** The envelope is no transaction, or one of a kind that the sandbox does not support. */
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

/** Reads the XDR structures directly, because the SDK's Transaction takes several times as long. */
export function parseEnvelope(envelopeXdr: string, networkId: Buffer): SubmittedTransaction {
  const bytes = Buffer.from(envelopeXdr, 'base64');
  const { transaction, signatures } = readEnvelope(bytes);
  const source = accountOf(transaction.sourceAccount());
  const hashBytes = hashOf(signedPart(bytes, signatures), networkId);
  return {
    ...timeBoundsOf(transaction.cond()),
    hash: hashBytes.toString('hex'),
    hashBytes,
    source,
    sequence: BigInt(transaction.seqNum().toString()),
    feeMaxUnits: BigInt(transaction.fee()),
    memo: memoOf(Memo.fromXDRObject(transaction.memo())),
    operations: transaction.operations().map((operation) => submittedOperation(operation, source)),
    signatures: signatures.map((entry) => ({ hint: entry.hint(), signature: entry.signature() })),
    envelopeXdr,
  };
}

type Envelope = { readonly transaction: xdr.Transaction; readonly signatures: readonly xdr.DecoratedSignature[] };

function readEnvelope(bytes: Buffer): Envelope {
  const envelope = decodeEnvelope(bytes);
  if (envelope.switch() !== xdr.EnvelopeType.envelopeTypeTx()) {
    throw new MalformedEnvelope('fee bumps and envelopes of version 0 are not supported');
  }
  return { transaction: envelope.v1().tx(), signatures: envelope.v1().signatures() };
}

function decodeEnvelope(bytes: Buffer): xdr.TransactionEnvelope {
  try {
    return xdr.TransactionEnvelope.fromXDR(bytes);
  } catch (error) {
    throw new MalformedEnvelope('the envelope cannot be read', { cause: error });
  }
}

const lengthBytes = 4;
const hintBytes = 4;

/** The bytes before the signatures. A signature is a signature hint and bytes padded to a multiple of four. */
function signedPart(bytes: Buffer, signatures: readonly xdr.DecoratedSignature[]): Buffer {
  const signatureBytes = signatures.reduce((total, entry) => {
    const padded = Math.ceil(entry.signature().length / lengthBytes) * lengthBytes;
    return total + hintBytes + lengthBytes + padded;
  }, lengthBytes);
  return bytes.subarray(0, bytes.length - signatureBytes);
}

/** The hash covers the network id, the envelope type and the transaction. */
function hashOf(part: Buffer, networkId: Buffer): Buffer {
  return hash('sha256', Buffer.concat([networkId, part]), 'buffer');
}

function accountOf(account: xdr.MuxedAccount): string {
  if (account.switch() !== xdr.CryptoKeyType.keyTypeEd25519()) throw new MalformedEnvelope('muxed accounts are not supported');
  return accountAddress(account.ed25519());
}

function timeBoundsOf(conditions: xdr.Preconditions): { readonly minTime: number; readonly maxTime: number } {
  if (conditions.switch() === xdr.PreconditionType.precondNone()) return { minTime: 0, maxTime: 0 };
  if (conditions.switch() !== xdr.PreconditionType.precondTime()) {
    throw new MalformedEnvelope('preconditions other than time bounds are not supported');
  }
  const bounds = conditions.timeBounds();
  return { minTime: Number(bounds.minTime().toString()), maxTime: Number(bounds.maxTime().toString()) };
}

function submittedOperation(operation: xdr.Operation, transactionSource: string): SubmittedOperation {
  const record = operationRecord(operation);
  const parsed = parseOperation(record, record.source ?? transactionSource);
  if (parsed === undefined) throw new MalformedEnvelope(`the operation ${record.type} is not supported`);
  return parsed;
}

function operationRecord(operation: xdr.Operation): OperationRecord {
  try {
    return Operation.fromXDRObject(operation);
  } catch (error) {
    throw new MalformedEnvelope('an operation cannot be read', { cause: error });
  }
}

function memoOf({ type, value }: Memo): LandedMemo {
  if (value === null || type === 'none') return { type: 'none' };
  if (type === 'text' || type === 'id') return { type, value: value.toString() };
  return { type, value: Buffer.from(value).toString('base64') };
}
