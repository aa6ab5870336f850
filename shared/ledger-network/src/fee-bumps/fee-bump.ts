import { xdr } from '@stellar/stellar-sdk';
import { encodedEnvelope, type EncodedEnvelope, type ParsedEnvelope } from '../envelopes/index.js';

/** What a transaction bids itself, without a fee bump. */
export type InnerFee = {
  readonly operations: number;
  /** For the resources of a contract call; charged besides the bid. */
  readonly resourceUnits: bigint;
  /** For each operation, rounded up. */
  readonly bidUnits: bigint;
};

export function innerFeeOf({
  transaction,
  operations: { length: operations },
}: Pick<ParsedEnvelope, 'transaction' | 'operations'>): InnerFee {
  const resourceUnits = isContractCall({ transaction }) ? transaction.ext().sorobanData().resourceFee().toBigInt() : 0n;
  const inclusionUnits = BigInt(transaction.fee()) - resourceUnits;
  const count = BigInt(operations);
  return { operations, resourceUnits, bidUnits: (inclusionUnits + count - 1n) / count };
}

/** What the network charges at most for a fee bump with this bid, which counts once for the fee bump itself, too. */
export function feeUnitsMax({ operations, resourceUnits }: InnerFee, bidUnits: bigint): bigint {
  return bidUnits * BigInt(operations + 1) + resourceUnits;
}

/** Contract calls, and transactions that extend or restore entries. The network prices them apart from all others. */
export function isContractCall({ transaction }: Pick<ParsedEnvelope, 'transaction'>): boolean {
  return transaction.ext().switch() === 1;
}

/**
 * Puts our signed transaction into a fee bump that the treasury pays, and signs it. `hash` belongs to the stored transaction. Returns the
 * envelope in base64.
 */
export type SignFeeBump = (inner: ParsedEnvelope, bump: { readonly hash: string; readonly bidUnits: bigint }) => Promise<string>;

type Bump = {
  /** The public key of the account that pays. */
  readonly feeSource: Buffer;
  readonly bidUnits: bigint;
};

/**
 * An unsigned fee bump. The bid counts once for each operation and once for the fee bump itself; the fee for resources is added. It is put
 * together from the decoded transaction: the SDK's builder copies that several times through XDR. See ADR 0127.
 */
export function buildFeeBump(inner: ParsedEnvelope, { feeSource, bidUnits }: Bump): EncodedEnvelope {
  const { transaction: tx, signatures, networkPassphrase } = inner;
  const bump = new xdr.FeeBumpTransaction({
    feeSource: xdr.MuxedAccount.keyTypeEd25519(feeSource),
    fee: new xdr.Int64(feeUnitsMax(innerFeeOf(inner), bidUnits)),
    innerTx: xdr.FeeBumpTransactionInnerTx.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures: [...signatures] })),
    ext: new xdr.FeeBumpTransactionExt(0),
  });
  const unsigned = new xdr.FeeBumpTransactionEnvelope({ tx: bump, signatures: [] });
  return encodedEnvelope(xdr.TransactionEnvelope.envelopeTypeTxFeeBump(unsigned).toXDR(), [], networkPassphrase);
}
