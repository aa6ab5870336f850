import type { Instant } from '@holdfast/kernel/context';
import type { CustodyAsset } from '@holdfast/kernel/money';

/** A transfer of tokens between two addresses. `from` is empty for minted tokens, `to` for burned ones and a clawback. */
export type Transfer = {
  readonly from: string;
  readonly to: string;
  readonly asset: CustodyAsset;
  readonly units: bigint;
};

/** Tokens that the claimants may fetch; they are in no account until then. */
export type ClaimableBalance = {
  readonly from: string;
  readonly claimants: readonly string[];
  readonly asset: CustodyAsset;
  readonly units: bigint;
};

/** The end of an account, whose XLM goes to another one. The record does not say how much it was. */
export type AccountMerge = { readonly from: string; readonly into: string };

/** One operation of the network's history. Transfers of assets other than USDC and XLM are left out. */
export type LedgerOperation = {
  readonly id: string;
  readonly type: string;
  /** The inner transaction's hash, if a fee bump wraps it. */
  readonly transactionHash: string;
  readonly isSuccessful: boolean;
  readonly at: Instant;
  /** The memo of its transaction, in hex, where that is a hash. */
  readonly memoHash?: string;
  /** Empty where the operation failed or moved nothing. */
  readonly transfers: readonly Transfer[];
  readonly merge?: AccountMerge;
  readonly claimable?: ClaimableBalance;
  /** The fee of the whole transaction and its payer; the same in each of its operations. */
  readonly fee: { readonly address: string; readonly units: bigint };
};

/** An account merge with what it has paid, as a transfer. */
export function withMerged(operation: LedgerOperation, units: bigint | undefined): LedgerOperation {
  if (operation.merge === undefined || units === undefined) return operation;
  const { from, into: to } = operation.merge;
  return { ...operation, transfers: [{ from, to, asset: 'XLM', units }] };
}
