import type { Context, Instant } from '@holdfast/kernel/context';
import type { caseResolved, CustodyAsset, CustodyPlace, Envelope, Payload } from '@holdfast/contracts/messages';
import type { BoundRoute } from '@holdfast/http/server';
import type { MarketplaceId, MessageId, UserId } from '@holdfast/kernel/ids';
import type { Job } from '@holdfast/work';
import type { Payment } from '../domain/payout.js';
import type { Expectation } from '../signing/expectation.js';
import type { Mismatch } from '../signing/mismatch.js';
import type { ParsedEnvelope } from '../transactions/envelope.js';
import type { FeeBumps, LifetimeChange, LifetimeResult } from '../use-cases/network-ports.js';
import type { Transfer } from './network/ledger-history.js';

/** Who signs: a user's wallet, the platform account, or a channel account of the treasury. */
export type Role = { readonly user: UserId; readonly marketplaceId: MarketplaceId } | 'platform' | { readonly treasury: number };

/** A channel of the treasury as a signer. */
export type TreasuryPayer = { readonly role: { readonly treasury: number }; readonly address: string };

export type Wallets = {
  /** The user's address on the ledger network. Creates and activates the wallet; throws IntentPaused until it is active. */
  readonly addressOf: (userId: UserId, marketplaceId: MarketplaceId) => Promise<string>;
  /** The wallet's holdings from published transactions; the network may be slightly ahead of them. */
  readonly holdingsOf: (userId: UserId, asset: CustodyAsset) => Promise<bigint>;
  readonly platformAddress: () => string;
  /**
   * The channels of the treasury that hold the amount; none where the whole treasury does not. If only the treasury as a whole holds
   * it, one channel is refilled; throws IntentPaused until that has landed.
   */
  readonly treasuryPayers: (amount: {
    readonly asset: CustodyAsset;
    readonly units: bigint;
  }) => Promise<readonly TreasuryPayer[]>;
  /** Throws IntentPaused where one of the channels does not hold the amount any more. */
  readonly assertHeld: (
    amount: { readonly asset: CustodyAsset; readonly units: bigint },
    payers: readonly { readonly address: string }[],
  ) => Promise<void>;
  /** Whether the address is a wallet, a contract or an account of the platform itself. */
  readonly isOwnAddress: (address: string) => Promise<boolean>;
  /** The accounts that may have paid a withdrawal of the user: the channels of the treasury, and the wallet if there is one. */
  readonly payersOf: (userId: UserId) => Promise<readonly string[]>;
  /** The addresses at a custody place; none where a user has no wallet. */
  readonly addressesAt: (place: CustodyPlace, ownerId: string | null) => Promise<readonly string[]>;
  /** Waits until every transaction up to this ledger is published, or waits for its proof. */
  readonly followTo: (ledger: number, signal: AbortSignal) => Promise<void>;
  /** The accounts with a transaction up to the ledger that the journal may not have yet. */
  readonly movingAt: (ledger: number) => Promise<readonly { readonly place: string; readonly ownerId: string | null }[]>;
};

/** Payments that are no contract calls. */
export type LedgerPayments = {
  /** The memo of every payment for a withdrawal, in hex, so that the network shows which withdrawals were paid. */
  readonly memoHashOf: (withdrawalId: string) => string;
  /** Throws ProviderRefused where the payer's account does not hold enough. */
  readonly build: (payer: string, payment: Payment) => Promise<string>;
  /** The one transaction that may be signed for this payment. */
  readonly expect: (payer: string, payment: Payment) => Expectation;
};

/** What was decoded is what was compared and signed. A refused transaction was not signed, and no key was opened for it. */
export type SigningResult =
  | { readonly status: 'signed'; readonly envelope: ParsedEnvelope; readonly signedXdr: string }
  | { readonly status: 'refused'; readonly mismatch: Mismatch };

/**
 * Decodes a transaction, compares every field with the expected transaction, and signs it. Only transactions of the treasury, which
 * this service builds itself, are signed elsewhere.
 */
export type Sign = (role: Role, unsignedXdr: string, expectation: Expectation) => Promise<SigningResult>;

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
  /** The hashes of the payments. Undefined while the search is not finished: the next call goes on with it. */
  readonly findPayments: (sought: SoughtPayments) => Promise<readonly string[] | undefined>;
};

export type WalletOwner = {
  readonly userId: UserId;
  readonly marketplaceId: MarketplaceId;
  /** The public event about the user that the event stream must show before that of the wallet, where it is known. */
  readonly afterEventId?: MessageId | undefined;
};

/** What the rest of the service uses of this folder; `createWallets` builds it. */
export type WalletsModule = {
  readonly wallets: Wallets;
  readonly sign: Sign;
  readonly feeBumps: FeeBumps;
  readonly payments: LedgerPayments;
  readonly network: LedgerNetwork;
  /** Submits the planned transaction from the treasury's account, one at a time over all processes. */
  readonly changeLifetimes: (plan: () => Promise<LifetimeChange | undefined>) => Promise<LifetimeResult>;
  /** A wallet that a quarantined record names may be swept again. */
  readonly handleCaseResolved: (message: Envelope<Payload<typeof caseResolved>>, ctx: Context) => Promise<void>;
  /** Creates the user's wallet in the background, before it is needed. The job `make-missing-wallets` covers a failure. */
  readonly prepareWallet: (user: WalletOwner) => void;
  readonly routes: readonly BoundRoute[];
  readonly jobs: readonly Job[];
};
