import type { Instant } from '@holdfast/kernel/context';
import type { CustodyAsset } from '@holdfast/kernel/money';
import type { Transfer } from '../values/index.js';

export type LedgerAccount = {
  readonly sequence: bigint;
  /** Units of 10^-7. An asset is missing where the account has no trustline for it. */
  readonly balances: Readonly<Partial<Record<CustodyAsset, bigint>>>;
  /** XLM that the account cannot spend: the network's reserve for its entries. */
  readonly reservedUnits: bigint;
  /** Its owner refuses payments without a memo (SEP-29). */
  readonly requiresMemo: boolean;
};

export type LandedOnLedger = { readonly isSuccessful: boolean; readonly ledger: number; readonly closedAt: Instant };

/** Payments with a memo that accounts of the platform may have made since then. */
export type SoughtPayments = { readonly payers: readonly string[]; readonly memoHash: string; readonly since: Instant };

/** A sequence number of an account, and a ledger that was closed before a transaction could use it. */
export type SoughtSequence = { readonly address: string; readonly sequence: bigint; readonly afterLedger: number };

/** The transaction that has used a sequence number, by its hashes: two for a fee bump, none where it was used before or skipped. */
export type SequenceUse = { readonly hashes: readonly string[] };

/** Accounts and history of the ledger network. Methods throw SERVICE_UNAVAILABLE or PROVIDER_TIMEOUT when it is unreachable. */
export type LedgerNetwork = {
  readonly networkPassphrase: string;
  readonly account: (address: string) => Promise<LedgerAccount | undefined>;
  /** Undefined until the transaction has landed. */
  readonly transaction: (hash: string) => Promise<LandedOnLedger | undefined>;
  /** The transfers of a transaction; none until it has landed. */
  readonly transfers: (hash: string) => Promise<readonly Transfer[]>;
  /** What the account has used the number for. Undefined where the history does not show it. */
  readonly sequenceUse: (sought: SoughtSequence) => Promise<SequenceUse | undefined>;
  /** The hashes of the payments. Undefined while the search is not finished: the next call continues it. */
  readonly findPayments: (sought: SoughtPayments) => Promise<readonly string[] | undefined>;
};
