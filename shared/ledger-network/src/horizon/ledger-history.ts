import type { Instant } from '@holdfast/kernel/context';
import type { LedgerOperation } from '../values/index.js';

/** A transaction of one account's history. */
export type HistoryTransaction = {
  /** The inner transaction's hash, if a fee bump wraps it. */
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
  /** Its position; the hash of the record where it has none. */
  readonly id: string;
  /** The record as the network sent it. */
  readonly record: unknown;
  readonly reason: string;
  /** Such an operation is nothing new on the network: it moves tokens of its source account only, and does not say how many. */
  readonly isKnownType: boolean;
  /** The account that has made the operation, where the record says so. */
  readonly source: string | undefined;
  /** Every account and contract that the record contains anywhere. */
  readonly names: readonly string[];
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
