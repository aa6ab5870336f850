import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId, UserId } from '@holdfast/kernel/ids';
import type { CustodyAsset } from '@holdfast/kernel/money';
import type { TreasuryOperation } from '@holdfast/ledger-network/values';
import type { EndState, OpenTransaction } from '@holdfast/ledger-network/submission';
import type { LifetimeChange } from '@holdfast/ledger-network/rpc';
import type { Wallet } from '../wallets/ports.js';
import type { SigningRole, TreasuryPurpose } from '@holdfast/ledger-network/signing';

/**
 * The result of a treasury transaction; an `open` one may still land, or waits until nothing is stopped any more. `nothing`: there was
 * nothing to do.
 */
export type TreasuryResult = 'landed' | 'failed' | 'expired' | 'open' | 'nothing';

export type PlannedOperations = {
  readonly operations: readonly TreasuryOperation[];
  readonly signers: readonly SigningRole[];
};

/**
 * Submits one transaction at a time over all processes. It is planned when its turn has come, after the treasury's sequence number was
 * read. If another process submits a transaction in between, this one can no longer land, so nothing is done twice.
 */
export type TreasurySubmitter = {
  /** Signed by the treasury and `signers`. */
  readonly execute: (step: TreasuryPurpose, plan: () => Promise<PlannedOperations | undefined>) => Promise<TreasuryResult>;
  readonly changeLifetimes: (plan: () => Promise<LifetimeChange | undefined>) => Promise<TreasuryResult>;
};

/** A transaction has at most twenty signatures, one of them the treasury's. */
export const otherSignersMax = 19;

export type TreasuryStore = {
  /** False where another transaction of the account is open. */
  readonly insertOpen: (transaction: OpenTransaction) => Promise<boolean>;
  readonly findOpen: (sourceAccount: string) => Promise<OpenTransaction | undefined>;
  readonly end: (ended: EndedTreasuryTransaction) => Promise<void>;
  /** Wallets are activated once this was requested. False where the marketplace has reached the limit of the last hour. */
  readonly requestActivation: (wallet: Wallet, perHourMax: number | undefined) => Promise<boolean>;
  /** For wallets whose accounts the network had already. */
  readonly activate: (addresses: readonly string[], at: Instant) => Promise<void>;
  readonly waiting: (countMax: number) => Promise<readonly Wallet[]>;
  readonly active: (addresses: readonly string[]) => Promise<readonly string[]>;
};

export type EndedTreasuryTransaction = {
  readonly hash: string;
  readonly state: EndState;
  readonly ledger: number | null;
  /** Addresses of wallets that the transaction has activated. */
  readonly activated: readonly string[];
  readonly at: Instant;
};

/** Leases idle channels, so their balances cannot change while we read them. */
export type TakeFree = (addresses: readonly string[]) => Promise<readonly string[]>;

/** Runs `work`, and then releases the channels that it has taken. */
export type FreeChannels = <Result>(work: (takeFree: TakeFree) => Promise<Result>) => Promise<Result>;

/** Test networks only: sends tokens to an address, once for the same reference. */
export type Faucet = (payment: FaucetPayment) => Promise<void>;

export type FaucetPayment = {
  readonly address: string;
  readonly asset: CustodyAsset;
  readonly amount: string;
  readonly reference: string;
};

export type SweepableWallet = { readonly userId: UserId; readonly marketplaceId: MarketplaceId; readonly address: string };

export type Owned = Readonly<Record<CustodyAsset, bigint>>;

/** What the published transactions have left in a wallet, and how much of it is a deposit that is not credited yet. */
export type Holding = {
  readonly userId: UserId;
  readonly asset: CustodyAsset;
  readonly units: bigint;
  readonly uncreditedUnits: bigint;
};

export type Announcement = { readonly to: string; readonly asset: CustodyAsset; readonly units: bigint };

export type ExpectedTransfer = { readonly id: bigint; readonly announcedBy: string; readonly confirmedBy: string | null };

export type NewAnnouncement = Announcement & {
  readonly reason: string;
  readonly by: string;
  readonly at: Instant;
  readonly confirmedBy: string | null;
};

/** Announced transfers, in a transaction. */
export type ExpectedTransfers = {
  readonly findOpen: (announced: Announcement) => Promise<ExpectedTransfer | undefined>;
  readonly insert: (announcement: NewAnnouncement) => Promise<unknown>;
  readonly confirm: (id: bigint, by: string) => Promise<unknown>;
};

/** Undefined while the channel has no account. An asset is missing while it has no trustline of it. */
export type ChannelBalances = Readonly<Partial<Record<CustodyAsset, bigint>>> | undefined;

/** Called with the balances of the treasury and its channels together, and with the balances of each channel. */
export type OnHoldings = (totals: Readonly<Record<CustodyAsset, bigint>>, channels: readonly ChannelBalances[]) => void;

/** What the last check of the treasury has read. */
export type LastHoldings = {
  readonly readAt: Instant;
  readonly totals: Readonly<Record<CustodyAsset, bigint>>;
  readonly channels: readonly ChannelBalances[];
};
