import type { CustodyAsset } from '@holdfast/contracts/messages';
import type { Currency } from '@holdfast/kernel/money';
import type { CustodyAccount } from '../domain/custody-difference.js';
import type { BookTerm } from '../domain/solvency.js';

/** What an account on the ledger network holds of an asset, according to the journal or to the network. */
export type CustodyBalance = CustodyAccount & { readonly asset: CustodyAsset; readonly units: bigint };

/** An account as journal and network see it after one ledger. */
export type ComparedAccount = CustodyBalance & {
  readonly networkUnits: bigint;
  /** A transaction up to that ledger may not be in the journal yet. */
  readonly isMoving: boolean;
};

/** The ledger is null where no account of the page was read. */
export type CustodyPage = {
  readonly accounts: readonly ComparedAccount[];
  readonly ledger: number | null;
  /** Null on the last page. */
  readonly after: string | null;
};

export type DepositTotal = {
  readonly currency: Currency;
  readonly publishedUnits: bigint;
  /** Of the published ones, those that the ledger has not acknowledged. */
  readonly inFlightUnits: bigint;
  /** Besides, those that are too small to be credited alone. */
  readonly waitingUnits: bigint;
};

/** The journal of ledger-balance, and the ledger network as escrow-adapter reads it. Throws Unavailable. */
export type Books = {
  readonly externalUnits: (
    currency: Currency,
    requestId: string,
  ) => Promise<{ readonly payins: bigint; readonly payouts: bigint }>;
  /** Deposits that escrow-adapter has published for crediting. */
  readonly publishedDeposits: (requestId: string) => Promise<readonly DepositTotal[]>;
  /** The journal totals from which solvency is computed, in one snapshot. */
  readonly terms: (requestId: string) => Promise<readonly BookTerm[]>;
  /** Deposits that the journal has credited, by currency. */
  readonly bookedDeposits: (requestId: string) => Promise<ReadonlyMap<Currency, bigint>>;
  /** A page of the accounts of the journal; those that are wanted are compared with the network. */
  readonly custodyPage: (
    page: { readonly after: string | null; readonly isWanted: (account: CustodyBalance) => boolean },
    requestId: string,
  ) => Promise<CustodyPage>;
};
