import { hash } from 'node:crypto';
import { StrKey, xdr } from '@stellar/stellar-sdk';
import { toInstant, type Instant } from '@holdfast/kernel/context';

declare const isParsed: unique symbol;

/** An encoded envelope. */
export type EncodedEnvelope = {
  /** The transaction's hash in hex; the signatures sign it. */
  readonly hash: string;
  /** Including existing signatures. */
  readonly bytes: Buffer;
  /** Offset of the signature list, which starts with its length. The bytes before it are signed. */
  readonly signaturesAt: number;
};

/**
 * A transaction, parsed once. Checks, signing, storing and submitting use this one value, so that what is signed is what was checked.
 * Only `parseEnvelope` creates one. See ADR 0030.
 */
export type ParsedEnvelope = EncodedEnvelope & {
  readonly [isParsed]: true;
  readonly networkPassphrase: string;
  readonly sourceAccount: string;
  readonly sequence: bigint;
  /** Undefined without an upper time bound; such a transaction is never signed. */
  readonly validUntil: Instant | undefined;
  /** The types of its operations. */
  readonly operations: readonly string[];
  readonly transaction: xdr.Transaction;
  readonly signatures: readonly xdr.DecoratedSignature[];
};

/** Undefined for anything but a plain transaction, such as a fee bump or invalid XDR. */
export function parseEnvelope(envelopeXdr: string, networkPassphrase: string): ParsedEnvelope | undefined {
  const bytes = Buffer.from(envelopeXdr, 'base64');
  const parsed = parse(bytes);
  if (parsed === undefined) return undefined;
  const transaction = parsed.tx();
  const source = transaction.sourceAccount();
  if (source.switch().name !== 'keyTypeEd25519') return undefined;
  const signatures = parsed.signatures();
  const parsedEnvelope: Omit<ParsedEnvelope, typeof isParsed> = {
    ...encodedEnvelope(bytes, signatures, networkPassphrase),
    networkPassphrase,
    sourceAccount: StrKey.encodeEd25519PublicKey(source.ed25519()),
    sequence: transaction.seqNum().toBigInt(),
    validUntil: validUntilOf(transaction.cond()),
    operations: transaction.operations().map((operation) => operation.body().switch().name),
    transaction,
    signatures,
  };
  // eslint-disable-next-line holdfast/no-type-assertion -- the brand exists for the compiler only
  return parsedEnvelope as ParsedEnvelope;
}

function parse(bytes: Buffer): xdr.TransactionV1Envelope | undefined {
  try {
    const envelope = xdr.TransactionEnvelope.fromXDR(bytes);
    return envelope.switch().name === 'envelopeTypeTx' ? envelope.v1() : undefined;
  } catch {
    return undefined;
  }
}

/** The hash and the place of the signatures in an envelope's bytes. */
export function encodedEnvelope(
  bytes: Buffer,
  signatures: readonly xdr.DecoratedSignature[],
  networkPassphrase: string,
): EncodedEnvelope {
  const signaturesAt = bytes.length - bytesOf(signatures);
  return { hash: hashOf(bytes.subarray(0, signaturesAt), networkPassphrase), bytes, signaturesAt };
}

const countBytes = 4;
const hintBytes = 4;
const lengthBytes = 4;
const alignment = 4;

/** XDR of the list: its length, then per signature the hint, the length and the bytes, padded to a multiple of four. */
function bytesOf(signatures: readonly xdr.DecoratedSignature[]): number {
  const padded = (length: number): number => Math.ceil(length / alignment) * alignment;
  return signatures.reduce((sum, each) => sum + hintBytes + lengthBytes + padded(each.signature().length), countBytes);
}

/**
 * Hashes the network id, the envelope type and the transaction. The latter two are taken from the envelope's bytes: XDR is
 * canonical, and the SDK rejects any other encoding.
 */
function hashOf(signed: Buffer, networkPassphrase: string): string {
  const networkId = hash('sha256', networkPassphrase, 'buffer');
  return hash('sha256', Buffer.concat([networkId, signed]));
}

/** The largest timestamp of a Date, in seconds. A later time bound counts as none. */
const secondsMax = 8_640_000_000_000n;

function validUntilOf(preconditions: xdr.Preconditions): Instant | undefined {
  const bounds = timeBoundsOf(preconditions);
  const seconds = bounds === undefined ? 0n : bounds.maxTime().toBigInt();
  return seconds === 0n || seconds > secondsMax ? undefined : toInstant(Number(seconds) * 1_000);
}

function timeBoundsOf(preconditions: xdr.Preconditions): xdr.TimeBounds | undefined {
  switch (preconditions.switch().name) {
    case 'precondTime':
      return preconditions.timeBounds();
    case 'precondV2':
      return preconditions.v2().timeBounds() ?? undefined;
    default:
      return undefined;
  }
}

const signaturesMax = 20;

/** Appends signatures to the envelope. They are its last field, so the bytes before them are not encoded again. */
export function withSignatures(envelope: ParsedEnvelope, added: readonly xdr.DecoratedSignature[]): ParsedEnvelope {
  return { ...envelope, signatures: [...envelope.signatures, ...added], bytes: signedBytes(envelope, added) };
}

/** The bytes of the envelope with these signatures behind the existing ones. */
export function signedBytes({ bytes, signaturesAt }: EncodedEnvelope, added: readonly xdr.DecoratedSignature[]): Buffer {
  const count = bytes.readUInt32BE(signaturesAt) + added.length;
  if (count > signaturesMax) throw new RangeError(`a transaction has at most ${signaturesMax} signatures`);
  const signed = Buffer.concat([bytes, ...added.map((signature) => signature.toXDR())]);
  signed.writeUInt32BE(count, signaturesAt);
  return signed;
}

export function encodeEnvelope({ bytes }: Pick<EncodedEnvelope, 'bytes'>): string {
  return bytes.toString('base64');
}
