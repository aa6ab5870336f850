import type { LedgerHead } from '../store/records.js';
import type { Store } from '../store/store.js';

/** What a node of the network knows: a closed ledger and the records at that ledger. Reads use one view for a whole response. */
export type LedgerView = {
  readonly head: LedgerHead;
  /** The oldest ledger whose transactions the node still knows. The history is never pruned, so it is the first ledger. */
  readonly oldest: LedgerHead;
  readonly find: Store['find'];
};

/** Close times are unix seconds. */
export function closeTimeOf({ closedAtMs }: LedgerHead): number {
  return Math.floor(closedAtMs / 1_000);
}
