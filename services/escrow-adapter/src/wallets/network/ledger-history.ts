import type { Instant } from '@holdfast/kernel/context';
import type { CustodyAsset } from '@holdfast/contracts/messages';

/** Tokens that went from one address to another. */
export type Transfer = {
  readonly from: string;
  readonly to: string;
  readonly asset: CustodyAsset;
  readonly units: bigint;
};

/** One operation as the network's history has it. Other assets than those held here are left out. */
export type LedgerOperation = {
  readonly id: string;
  readonly type: string;
  readonly transactionHash: string;
  readonly isSuccessful: boolean;
  readonly at: Instant;
  /** None where it failed, and where it moved nothing. */
  readonly transfers: readonly Transfer[];
  /** Who paid for the whole transaction, and how much; the same in each of its operations. */
  readonly fee: { readonly address: string; readonly units: bigint };
};

export type OperationPage = { readonly operations: readonly LedgerOperation[]; readonly isLast: boolean };

/** How the network's history is read. Throws SERVICE_UNAVAILABLE or PROVIDER_TIMEOUT when it cannot be. */
export type LedgerHistory = {
  /** Everything that happened on the network after the cursor, oldest first, failed transactions too. */
  readonly all: (cursor: string) => Promise<OperationPage>;
  /** The same for what concerns one account. */
  readonly ofAccount: (address: string, cursor: string) => Promise<OperationPage>;
  /** Every operation of one transaction. */
  readonly ofTransaction: (hash: string) => Promise<readonly LedgerOperation[]>;
  /** What moved tokens of one account, newest first, before the cursor. */
  readonly newestOf: (
    address: string,
    page: { readonly cursor: string | undefined; readonly limit: number },
  ) => Promise<readonly LedgerOperation[]>;
};
