import type { Instant } from '@holdfast/kernel/context';
import type { CustodyAsset, CustodyPlace } from '@holdfast/contracts/messages';
import type { BoundRoute } from '@holdfast/http/server';
import type { MarketplaceId, MessageId, UserId } from '@holdfast/kernel/ids';
import type { Job } from '@holdfast/service-host';
import type { Payment } from '../domain/payout.js';
import type { ParsedEnvelope } from '../transactions/envelope.js';
import type { Transfer } from './network/ledger-history.js';

/** Who signs: a user's wallet, the platform account, or a channel account of the treasury. */
export type Role = { readonly user: UserId; readonly marketplaceId: MarketplaceId } | 'platform' | { readonly treasury: number };

/** The purpose of a signature. A role signs only its own operations; anything else is refused before a key is opened. */
export const signedOperations = [
  'deploy',
  'fund',
  'complete',
  'approve',
  'release',
  'dispute',
  'resolve',
  'activate',
  'sweep',
  'withdraw',
] as const;
export type SignedOperation = (typeof signedOperations)[number];

export type Wallets = {
  /** The user's address on the ledger network. Creates and activates the wallet if it is missing. */
  readonly addressOf: (userId: UserId, marketplaceId: MarketplaceId) => Promise<string>;
  /** The wallet's holdings from published transactions; the network may be slightly ahead of them. */
  readonly holdingsOf: (userId: UserId, asset: CustodyAsset) => Promise<bigint>;
  readonly platformAddress: () => string;
  readonly treasuryAddress: (channel: number) => string;
  /** Channels are numbered from zero. */
  readonly treasuryChannelCount: number;
  /** Whether the address is a wallet, a contract or an account of the platform itself. */
  readonly isOwnAddress: (address: string) => Promise<boolean>;
  /** The addresses at a custody place; none where a user has no wallet. */
  readonly addressesAt: (place: CustodyPlace, ownerId: string | null) => Promise<readonly string[]>;
};

/** Payments that are no contract calls. */
export type LedgerPayments = {
  /** Throws ProviderRefused where the payer's account does not hold enough. */
  readonly build: (payer: string, payment: Payment) => Promise<string>;
  /** Whether the transaction makes exactly this payment from its own source account. */
  readonly isPayment: (envelope: ParsedEnvelope, payment: Payment) => boolean;
};

/** Returns the signed envelope. No other function gives access to a signature. */
export type Sign = (role: Role, operation: SignedOperation, envelope: ParsedEnvelope) => Promise<string>;

export type LedgerAccount = {
  readonly sequence: bigint;
  /** Units of 10^-7. An asset is missing where the account has no trustline for it. */
  readonly balances: Readonly<Partial<Record<CustodyAsset, bigint>>>;
  /** Its owner refuses payments without a memo (SEP-29). */
  readonly requiresMemo: boolean;
};

/** The result of a submission. An `unknown` transaction may land until a closed ledger is past its time bounds. */
export type Submission =
  | { readonly status: 'landed'; readonly hash: string }
  | { readonly status: 'refused'; readonly resultCodes: readonly string[] }
  | { readonly status: 'unknown' };

export type LandedOnLedger = { readonly isSuccessful: boolean; readonly ledger: number; readonly closedAt: Instant };

export type LedgerPayment = {
  /** The id of the operation. */
  readonly id: string;
  readonly cursor: string;
  readonly transactionHash: string;
  readonly isSuccessful: boolean;
  readonly from: string;
  readonly to: string;
  readonly asset: CustodyAsset;
  readonly units: bigint;
  readonly at: Instant;
};

/** The ledger network. Methods throw SERVICE_UNAVAILABLE or PROVIDER_TIMEOUT when it is unreachable; `submit` never throws. */
export type LedgerNetwork = {
  readonly networkPassphrase: string;
  readonly account: (address: string) => Promise<LedgerAccount | undefined>;
  readonly submit: (signedXdr: string) => Promise<Submission>;
  /** Undefined until the transaction has landed. */
  readonly transaction: (hash: string) => Promise<LandedOnLedger | undefined>;
  /** The transfers of a transaction; none until it has landed. */
  readonly transfers: (hash: string) => Promise<readonly Transfer[]>;
  readonly latestLedger: () => Promise<{ readonly sequence: number; readonly closedAt: Instant }>;
  /** Oldest first, after the cursor. */
  readonly payments: (address: string, cursor: string | undefined) => Promise<readonly LedgerPayment[]>;
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
  readonly payments: LedgerPayments;
  readonly network: LedgerNetwork;
  /**
   * Whether landed transactions of ours are stored in `unpublished_transactions`. Needed on a public network: its whole history is
   * not read, so the watcher looks them up by hash.
   */
  readonly storesUnpublished: boolean;
  /** Creates the user's wallet in the background, before it is needed. The job `make-missing-wallets` covers a failure. */
  readonly prepareWallet: (user: WalletOwner) => void;
  readonly routes: readonly BoundRoute[];
  readonly jobs: readonly Job[];
};
