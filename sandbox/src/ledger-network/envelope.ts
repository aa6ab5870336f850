import { hash } from 'node:crypto';
import { Memo, Operation, StrKey, Transaction, xdr } from '@stellar/stellar-sdk';
import type { Memo as LandedMemo } from '../store/records.js';
import { readFootprint } from './footprint.js';
import type { Signature } from './keys.js';
import { parseOperation, type OperationRecord } from './parse-operation.js';
import type { SubmittedFeeBump, SubmittedOperation, SubmittedTransaction } from './submitted-transaction.js';

const { TransactionSignaturePayloadTaggedTransaction: TaggedTransaction } = xdr;

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

/** The passphrase of a network, and the id that follows from it. */
export type NetworkName = { readonly passphrase: string; readonly networkId: Buffer };

/** Decodes an envelope once. Its hashes are computed from the decoded values. */
export function parseEnvelope(envelopeXdr: string, name: NetworkName): SubmittedTransaction {
  const { envelope, operations, resources, feeBump } = readEnvelope(envelopeXdr);
  const transaction = envelope.tx();
  const source = accountOf(transaction.sourceAccount());
  const hashBytes = signedHash(name.networkId, TaggedTransaction.envelopeTypeTx(transaction));
  return {
    hash: hashBytes.toString('hex'),
    hashBytes,
    source,
    sequence: transaction.seqNum().toBigInt(),
    feeMaxUnits: BigInt(transaction.fee()),
    resourceFeeUnits: resources?.resourceFee().toBigInt(),
    footprint: resources === undefined ? undefined : readFootprint(resources),
    ...timesOf(transaction.cond()),
    memo: memoOf(Memo.fromXDRObject(transaction.memo())),
    operations: operations.map((operation, index) =>
      submittedOperation(operation, source, {
        claimableBalanceId: () => claimableBalanceIdOf(envelope, index, name),
        body: () => bodyOf(transaction, index),
      }),
    ),
    signatures: signaturesOf(envelope),
    feeBump: feeBump === undefined ? undefined : submittedFeeBump(feeBump, name),
    envelopeXdr,
  };
}

/** What the signatures of an envelope sign. */
function signedHash(networkId: Buffer, taggedTransaction: xdr.TransactionSignaturePayloadTaggedTransaction): Buffer {
  return hash('sha256', new xdr.TransactionSignaturePayload({ networkId, taggedTransaction }).toXDR(), 'buffer');
}

function accountOf(account: xdr.MuxedAccount): string {
  if (account.switch() !== xdr.CryptoKeyType.keyTypeEd25519()) throw new MalformedEnvelope('muxed accounts are not supported');
  return StrKey.encodeEd25519PublicKey(account.ed25519());
}

function claimableBalanceIdOf(envelope: xdr.TransactionV1Envelope, index: number, { passphrase }: NetworkName): string {
  const transaction = new Transaction(xdr.TransactionEnvelope.envelopeTypeTx(envelope), passphrase);
  return transaction.getClaimableBalanceId(index);
}

function bodyOf(transaction: xdr.Transaction, index: number): xdr.OperationBody {
  const operation = transaction.operations()[index];
  if (operation === undefined) throw new MalformedEnvelope('the envelope has fewer operations than its transaction');
  return operation.body();
}

function timesOf(conditions: xdr.Preconditions) {
  const isTimed = conditions.switch() === xdr.PreconditionType.precondTime();
  const bounds = isTimed ? conditions.timeBounds() : undefined;
  return {
    validAfter: Number(bounds?.minTime().toBigInt() ?? 0n),
    validBefore: Number(bounds?.maxTime().toBigInt() ?? 0n),
  };
}

type Envelope = {
  /** The envelope of the transaction, which may be inside a fee bump. */
  readonly envelope: xdr.TransactionV1Envelope;
  readonly operations: readonly OperationRecord[];
  readonly resources: xdr.SorobanTransactionData | undefined;
  readonly feeBump: xdr.FeeBumpTransactionEnvelope | undefined;
};

function readEnvelope(envelopeXdr: string): Envelope {
  try {
    const outer = xdr.TransactionEnvelope.fromXDR(envelopeXdr, 'base64');
    const feeBump = outer.switch() === xdr.EnvelopeType.envelopeTypeTxFeeBump() ? outer.feeBump() : undefined;
    const envelope = feeBump === undefined ? plainEnvelope(outer) : feeBump.tx().innerTx().v1();
    const transaction = envelope.tx();
    const operations = transaction.operations().map((each) => Operation.fromXDRObject(each));
    return { envelope, operations, resources: resourcesOf(transaction), feeBump };
  } catch (error) {
    throw error instanceof MalformedEnvelope ? error : new MalformedEnvelope('the envelope cannot be read', { cause: error });
  }
}

function plainEnvelope(envelope: xdr.TransactionEnvelope): xdr.TransactionV1Envelope {
  if (envelope.switch() === xdr.EnvelopeType.envelopeTypeTx()) return envelope.v1();
  throw new MalformedEnvelope('envelopes of version 0 are not supported');
}

function resourcesOf(transaction: xdr.Transaction): xdr.SorobanTransactionData | undefined {
  if (transaction.cond().switch() === xdr.PreconditionType.precondV2()) {
    throw new MalformedEnvelope('preconditions other than time bounds are not supported');
  }
  const extension = transaction.ext();
  return extension.switch() === 0 ? undefined : extension.sorobanData();
}

function submittedFeeBump(envelope: xdr.FeeBumpTransactionEnvelope, { networkId }: NetworkName): SubmittedFeeBump {
  const feeBump = envelope.tx();
  const hashBytes = signedHash(networkId, TaggedTransaction.envelopeTypeTxFeeBump(feeBump));
  return {
    hash: hashBytes.toString('hex'),
    hashBytes,
    source: accountOf(feeBump.feeSource()),
    feeMaxUnits: feeBump.fee().toBigInt(),
    signatures: signaturesOf(envelope),
  };
}

function signaturesOf(envelope: xdr.TransactionV1Envelope | xdr.FeeBumpTransactionEnvelope): readonly Signature[] {
  return envelope.signatures().map((entry) => ({ hint: entry.hint(), signature: entry.signature() }));
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
