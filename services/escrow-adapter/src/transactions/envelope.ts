import { createHash } from 'node:crypto';
import { toInstant, type Instant } from '@holdfast/shared/context';
import { StrKey, xdr } from '@stellar/stellar-sdk';

/** What an envelope says about itself; signatures change none of it. */
export type EnvelopeFacts = {
  readonly hash: string;
  readonly sourceAccount: string;
  readonly sequence: bigint;
  /** Undefined where it could land at any time, which none of ours may. */
  readonly validUntil: Instant | undefined;
  readonly operations: readonly string[];
};

/** Undefined where it is not a plain transaction. */
export function readEnvelope(envelopeXdr: string, networkPassphrase: string): EnvelopeFacts | undefined {
  const transaction = transactionOf(envelopeXdr);
  if (transaction === undefined) return undefined;
  const source = transaction.sourceAccount();
  if (source.switch().name !== 'keyTypeEd25519') return undefined;
  return {
    hash: hashOf(transaction, networkPassphrase),
    sourceAccount: StrKey.encodeEd25519PublicKey(source.ed25519()),
    sequence: transaction.seqNum().toBigInt(),
    validUntil: validUntilOf(transaction.cond()),
    operations: transaction.operations().map((operation) => operation.body().switch().name),
  };
}

function transactionOf(envelopeXdr: string): xdr.Transaction | undefined {
  try {
    const envelope = xdr.TransactionEnvelope.fromXDR(envelopeXdr, 'base64');
    return envelope.switch().name === 'envelopeTypeTx' ? envelope.v1().tx() : undefined;
  } catch {
    return undefined;
  }
}

const plainTransaction = Buffer.from([0, 0, 0, 2]);

/** The network's id, the kind of envelope and the transaction: what is signed, and what a transaction is known by. */
function hashOf(transaction: xdr.Transaction, networkPassphrase: string): string {
  const networkId = createHash('sha256').update(networkPassphrase).digest();
  return createHash('sha256').update(networkId).update(plainTransaction).update(transaction.toXDR()).digest('hex');
}

function validUntilOf(preconditions: xdr.Preconditions): Instant | undefined {
  const bounds = timeBoundsOf(preconditions);
  const seconds = bounds === undefined ? 0n : bounds.maxTime().toBigInt();
  return seconds === 0n ? undefined : toInstant(Number(seconds) * 1_000);
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
