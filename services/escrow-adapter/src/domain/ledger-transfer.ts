/** Tokens that a transaction moves on the ledger network. */
export type LedgerTransfer = {
  /** The contract of the token. */
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
};
