import type { CustodyPlace, outflowPlaces, UnknownDepositForm } from '@holdfast/contracts/messages';
import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId, UserId } from '@holdfast/kernel/ids';
import type { Currency, CustodyAsset } from '@holdfast/kernel/money';
import type { BalanceChange } from '@holdfast/ledger-network/rpc';
import type { Holding } from '../treasury/ports.js';

/** The custody place of an address that belongs to us. */
export type OwnPlace =
  | { readonly place: 'treasury' | 'platform' }
  | { readonly place: 'wallet'; readonly ownerId: UserId; readonly marketplaceId: MarketplaceId }
  | { readonly place: 'contract'; readonly ownerId: string; readonly marketplaceId: MarketplaceId };

/** Undefined for an external address. */
export type PlaceOf = (address: string) => OwnPlace | undefined;

export type Leg = {
  readonly place: CustodyPlace;
  readonly ownerId?: string;
  readonly asset: CustodyAsset;
  readonly units: bigint;
};

export type Deposit = {
  readonly userId: UserId;
  readonly marketplaceId: MarketplaceId;
  /** The ledger operation; numbered where one operation paid several times. */
  readonly operationId: string;
  readonly transactionHash: string;
  readonly landedAt: Instant;
  readonly asset: CustodyAsset;
  readonly units: bigint;
};

/** Tokens that left one of our accounts. */
export type Outflow = {
  readonly place: (typeof outflowPlaces)[number];
  readonly userId: UserId | null;
  readonly marketplaceId: MarketplaceId;
  readonly asset: CustodyAsset;
  readonly units: bigint;
  /** Null where they have no receiver, as with a clawback or a trade. */
  readonly to: string | null;
  /** The memo of the transaction, in hex, where that is a hash. */
  readonly memoHash: string | null;
};

/** Money from outside that no user is credited for by itself. */
export type UnknownDeposit = Omit<Deposit, 'userId' | 'transactionHash' | 'landedAt'> & {
  readonly form: UnknownDepositForm;
  readonly userId: UserId | null;
  readonly orderId: string | null;
};

/** What the history says that an operation has changed at one of our addresses. */
export type Claim = BalanceChange & {
  /** The place of the operation in its transaction, from zero. */
  readonly operation: number;
  /** The tokens are in a claimable balance, not at the address. */
  readonly isClaimable: boolean;
};

/** A transaction of the network's history with its effect on our custody. */
export type LandedTransaction = { readonly hash: string; readonly ledger: number; readonly legs: readonly Leg[] };

/** A stranger's transaction. What the history says about it must be proved before it counts. */
export type ClaimedTransaction = LandedTransaction & {
  readonly claims: readonly Claim[];
  readonly deposits: readonly Deposit[];
  readonly unknownDeposits: readonly UnknownDeposit[];
  readonly outflows: readonly Outflow[];
};

/** What a part of the history means for us. */
export type Findings = {
  /** The transactions that this service has made. It knows from the network's RPC that they have landed. */
  readonly own: readonly LandedTransaction[];
  readonly claimed: readonly ClaimedTransaction[];
  readonly quarantined: readonly QuarantinedRecord[];
  /** Records that could not be understood and mention none of our accounts. */
  readonly skipped: number;
};

/** A record that may be about one of our addresses and could not be understood. */
export type QuarantinedRecord = {
  /** The operation; the hash of the record where it names none. */
  readonly id: string;
  readonly record: string;
  readonly reason: string;
  /** The owners of the wallets that it may be about. */
  readonly userIds: readonly UserId[];
  readonly marketplaceId: MarketplaceId;
  /** Our account that has made the operation, without this service. */
  readonly madeBy?: Pick<Outflow, 'place' | 'userId' | 'marketplaceId'> | undefined;
};

/** Moves a cursor of the history; it applies only if the cursor is still at `from`. */
export type CursorMove = { readonly name: string; readonly from: string; readonly to: string };

/** The records that were not understood and are new. */
export type Stored = { readonly quarantined: readonly QuarantinedRecord[] };

export type WatcherStore = {
  /** Empty at the beginning. */
  readonly cursor: (name: string) => Promise<string>;
  /** Stores where the history begins for us, and books what our accounts hold by then, in one commit, unless there is a cursor. */
  readonly begin: (name: string, cursor: string, opening: LandedTransaction) => Promise<void>;
  readonly placesOf: (addresses: readonly string[]) => Promise<PlaceOf>;
  /** Returns the hashes of transactions that this service created. */
  readonly ownHashes: (hashes: readonly string[]) => Promise<ReadonlySet<string>>;
  /**
   * Moves the cursor, publishes our own transactions and stores all others, in one commit. Undefined if another process has moved the
   * cursor; then nothing was written.
   */
  readonly publish: (findings: Findings, move: CursorMove) => Promise<Stored | undefined>;
};

export type OpenClaim = ClaimedTransaction & { readonly seenAt: Instant };

export type ClaimStore = {
  /** Transactions that are due, and all that name the user's wallet; oldest ledger first. Sets when they are due again. */
  readonly takeDue: (userId?: UserId) => Promise<readonly OpenClaim[]>;
  /** Publishes the transaction and returns its unknown outflows. Undefined if another process has published it. */
  readonly publish: (transaction: ClaimedTransaction) => Promise<readonly Outflow[] | undefined>;
  /** Opens a case for each deposit of the transaction, which is not tried again. Returns whether this call did so. */
  readonly giveUp: (transaction: ClaimedTransaction) => Promise<boolean>;
  readonly placesOf: (addresses: readonly string[]) => Promise<PlaceOf>;
  /** What the published transactions have left in a wallet. */
  readonly holdingsOf: (userId: UserId, asset: CustodyAsset) => Promise<bigint>;
};

/** A deposit whose message ledger-balance has not acknowledged yet. Small deposits that are credited together are one. */
export type UncreditedDeposit = {
  readonly asset: CustodyAsset;
  readonly currency: Currency;
  readonly amount: string;
  readonly operationId: string;
  readonly transactionHash: string;
};

export type UncreditedStore = {
  /** The deposits of a user that are not credited yet, as their messages say. */
  readonly uncreditedOf: (userId: UserId) => Promise<readonly UncreditedDeposit[]>;
  /** The sums of the deposits that have a message, and of those whose message ledger-balance has not acknowledged. */
  readonly totals: () => Promise<
    readonly {
      readonly currency: Currency;
      readonly units: bigint;
      readonly unacknowledgedUnits: bigint;
      /** Too small to be credited alone. */
      readonly waitingUnits: bigint;
    }[]
  >;
  readonly holdingsOf: (userIds: readonly UserId[]) => Promise<readonly Holding[]>;
};
