import { createHash } from 'node:crypto';
import { StrKey, xdr } from '@stellar/stellar-sdk';
import { toInstant, type Instant } from '@holdfast/kernel/context';

declare const isParsed: unique symbol;

/**
 * A transaction, read once. Whoever decides about it, signs it or stores it works on this one value, so that nothing else can be
 * signed than what was looked at. Only `readEnvelope` makes one.
 */
export type ParsedEnvelope = {
  readonly [isParsed]: true;
  readonly networkPassphrase: string;
  /** Of what is signed, in hex: what the transaction is known by. */
  readonly hash: string;
  readonly sourceAccount: string;
  readonly sequence: bigint;
  /** Undefined where it could land at any time, which none of ours may. */
  readonly validUntil: Instant | undefined;
  /** The kinds of its operations. */
  readonly operations: readonly string[];
  readonly transaction: xdr.Transaction;
  /** As it came, with the signatures that it has. */
  readonly bytes: Buffer;
  /** Where in the bytes the signatures begin, with their number. All before it is what is signed. */
  readonly signaturesAt: number;
};

/** Undefined where it is not a plain transaction. */
export function parseEnvelope(envelopeXdr: string, networkPassphrase: string): ParsedEnvelope | undefined {
  const bytes = Buffer.from(envelopeXdr, 'base64');
  const parsed = parse(bytes);
  if (parsed === undefined) return undefined;
  const transaction = parsed.tx();
  const source = transaction.sourceAccount();
  if (source.switch().name !== 'keyTypeEd25519') return undefined;
  const signaturesAt = bytes.length - bytesOf(parsed.signatures());
  const parsedEnvelope: Omit<ParsedEnvelope, typeof isParsed> = {
    networkPassphrase,
    hash: hashOf(bytes.subarray(0, signaturesAt), networkPassphrase),
    sourceAccount: StrKey.encodeEd25519PublicKey(source.ed25519()),
    sequence: transaction.seqNum().toBigInt(),
    validUntil: validUntilOf(transaction.cond()),
    operations: transaction.operations().map((operation) => operation.body().switch().name),
    transaction,
    bytes,
    signaturesAt,
  };
  // eslint-disable-next-line holdfast/no-type-assertion -- the mark says that it was made here, and exists for the compiler only
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

const countBytes = 4;
const hintBytes = 4;
const lengthBytes = 4;
const alignment = 4;

/** A list of signatures is their number and then, for each, a hint, its length and its bytes, filled up to a multiple of four. */
function bytesOf(signatures: readonly xdr.DecoratedSignature[]): number {
  const filledUp = (length: number): number => Math.ceil(length / alignment) * alignment;
  return signatures.reduce((sum, each) => sum + hintBytes + lengthBytes + filledUp(each.signature().length), countBytes);
}

/**
 * The network's id, and then the kind of envelope and the transaction, just as they stand in the envelope: there is only one way
 * to write a transaction, and the SDK reads no other.
 */
function hashOf(signed: Buffer, networkPassphrase: string): string {
  const networkId = createHash('sha256').update(networkPassphrase).digest();
  return createHash('sha256').update(networkId).update(signed).digest('hex');
}

/** The last second that a date can name: whoever says a later one says for ever. */
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

/** The envelope with further signatures, ready to be submitted. They stand at its end, so nothing before them is written anew. */
export function withSignatures({ bytes, signaturesAt }: ParsedEnvelope, added: readonly xdr.DecoratedSignature[]): string {
  const count = bytes.readUInt32BE(signaturesAt) + added.length;
  if (count > signaturesMax) throw new RangeError(`a transaction carries at most ${signaturesMax} signatures`);
  const signed = Buffer.concat([bytes, ...added.map((signature) => signature.toXDR())]);
  signed.writeUInt32BE(count, signaturesAt);
  return signed.toString('base64');
}
