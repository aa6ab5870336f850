import { Transaction, TransactionBuilder, xdr, type FeeBumpTransaction } from '@stellar/stellar-sdk';
import type { ParsedEnvelope } from '../envelopes/index.js';

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

/** Puts our signed transaction into a fee bump that the treasury pays, and signs it. `hash` belongs to the stored transaction. */
export type SignFeeBump = (
  inner: ParsedEnvelope,
  bump: { readonly hash: string; readonly bidUnits: bigint },
) => Promise<FeeBumpTransaction>;

type Bump = { readonly feeSource: string; readonly bidUnits: bigint };

/** An unsigned fee bump. The bid counts once for each operation and once for the fee bump itself; the fee for resources is added. */
export function buildFeeBump(
  { transaction: tx, signatures, networkPassphrase }: ParsedEnvelope,
  { feeSource, bidUnits }: Bump,
): FeeBumpTransaction {
  const signed = new xdr.TransactionV1Envelope({ tx, signatures: [...signatures] });
  const inner = new Transaction(xdr.TransactionEnvelope.envelopeTypeTx(signed), networkPassphrase);
  return TransactionBuilder.buildFeeBumpTransaction(feeSource, bidUnits.toString(), inner, networkPassphrase);
}
