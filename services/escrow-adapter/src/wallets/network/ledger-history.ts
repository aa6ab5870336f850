import type { Instant } from '@holdfast/kernel/context';
import type { CustodyAsset } from '@holdfast/contracts/messages';

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
  /** That of the inner transaction where a fee bump wraps it. */
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

/** A transaction of one account's history. */
export type HistoryTransaction = {
  /** That of the inner transaction where a fee bump wraps it. */
  readonly hash: string;
  /** The account whose sequence number it has used. */
  readonly source: string;
  readonly isSuccessful: boolean;
  readonly at: Instant;
  /** In hex, where the memo is a hash. */
  readonly memoHash?: string;
  readonly position: string;
};

/** A record from which no operation could be read. */
export type RejectedRecord = {
  /** As the network sent it. */
  readonly record: unknown;
  readonly reason: string;
  /** Such an operation is nothing new on the network: it moves tokens of its source account only, and does not say how many. */
  readonly isKnownType: boolean;
};

/** A record of the history. A record without a valid position cannot move the cursor. */
export type HistoryEntry = {
  readonly position: string | undefined;
  readonly transactionHash: string | undefined;
} & ({ readonly operation: LedgerOperation } | { readonly rejected: RejectedRecord });

export type HistoryPage = { readonly entries: readonly HistoryEntry[]; readonly isLast: boolean };

/** Reads the network's history. Throws SERVICE_UNAVAILABLE or PROVIDER_TIMEOUT. */
export type LedgerHistory = {
  /** All operations of the network after the cursor, oldest first, including failed transactions. */
  readonly all: (cursor: string) => Promise<HistoryPage>;
  /** The newest ledger that the history has, with all of its operations. */
  readonly latestLedger: () => Promise<number>;
  /** What a merge has paid to the account; undefined where the network does not say. */
  readonly mergedUnits: (operationId: string, into: string) => Promise<bigint | undefined>;
  /** The accounts that an operation has affected; undefined where the network does not say. */
  readonly affectedBy: (operationId: string) => Promise<readonly string[] | undefined>;
  /** Every operation of one transaction. */
  readonly ofTransaction: (hash: string) => Promise<readonly LedgerOperation[]>;
  /** Transactions that one account has made or is named in, before the cursor, newest first. */
  readonly transactionsOf: (
    address: string,
    page: { readonly cursor: string | undefined; readonly limit: number },
  ) => Promise<readonly HistoryTransaction[]>;
  /** Payments of one account before the cursor, newest first. */
  readonly newestOf: (
    address: string,
    page: { readonly cursor: string | undefined; readonly limit: number },
  ) => Promise<readonly LedgerOperation[]>;
};
