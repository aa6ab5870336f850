import type { LandedTransaction } from '../store/records.js';
import type { Store } from '../store/store.js';

/** A landed transaction by its own hash, or by the hash of the fee bump around it. */
export function findTransaction(find: Store['find'], hash: string): LandedTransaction | undefined {
  return find('transactions', find('feeBumps', hash)?.transactionHash ?? hash);
}

/** The hash under which a transaction is in the ledger: if there is a fee bump, the fee bump's hash. */
export function outerHash({
  hash,
  feeBump,
}: {
  readonly hash: string;
  readonly feeBump?: { readonly hash: string } | undefined;
}) {
  return feeBump?.hash ?? hash;
}
