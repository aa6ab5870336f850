import type { Instant } from '@holdfast/kernel/context';
import type { CustodyAsset } from '@holdfast/contracts/messages';
import type { BoundRoute } from '@holdfast/http/server';
import type { MarketplaceId, MessageId, UserId } from '@holdfast/kernel/ids';
import type { Job } from '@holdfast/service-host';
import type { ParsedEnvelope } from '../transactions/envelope.js';

/** Who signs: a user with the wallet held for it, the platform, or the treasury through one of its channel accounts. */
export type Role = { readonly user: UserId; readonly marketplaceId: MarketplaceId } | 'platform' | { readonly treasury: number };

/** What is signed for. A role signs only what belongs to it; everything else is refused before a key is touched. */
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
  /** The user's address on the ledger network. Makes and activates the wallet where it is missing. */
  readonly addressOf: (userId: UserId, marketplaceId: MarketplaceId) => Promise<string>;
  /** What the books of custody say the user's wallet holds; the network may be a moment ahead of them. */
  readonly holdingsOf: (userId: UserId, asset: CustodyAsset) => Promise<bigint>;
  readonly platformAddress: () => string;
  readonly treasuryAddress: (channel: number) => string;
  /** Channels are numbered from zero. */
  readonly treasuryChannelCount: number;
};

/** The only way to a signature: role, operation and transaction in, the signed envelope out. */
export type Sign = (role: Role, operation: SignedOperation, envelope: ParsedEnvelope) => Promise<string>;

export type LedgerAccount = {
  readonly sequence: bigint;
  /** Units of 10^-7. An asset is missing where the account has no line of trust for it. */
  readonly balances: Readonly<Partial<Record<CustodyAsset, bigint>>>;
};

/** What became of a submission. `unknown` is no answer: it may land until its time bounds have passed in a closed ledger. */
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

/** The ledger network. Every method throws SERVICE_UNAVAILABLE or PROVIDER_TIMEOUT when it cannot be asked, `submit` never does. */
export type LedgerNetwork = {
  readonly networkPassphrase: string;
  readonly account: (address: string) => Promise<LedgerAccount | undefined>;
  readonly submit: (signedXdr: string) => Promise<Submission>;
  /** Undefined as long as no such transaction has landed. */
  readonly transaction: (hash: string) => Promise<LandedOnLedger | undefined>;
  readonly latestLedger: () => Promise<{ readonly sequence: number; readonly closedAt: Instant }>;
  /** Oldest first, after the cursor. */
  readonly payments: (address: string, cursor: string | undefined) => Promise<readonly LedgerPayment[]>;
};

/** What the rest of the service is built from; `createWallets` of this folder makes it. */
/** With the event that told of it, which that of the wallet is shown after. */
export type ConsumedUser = {
  readonly userId: UserId;
  readonly marketplaceId: MarketplaceId;
  readonly afterEventId: MessageId | undefined;
};

export type WalletsModule = {
  readonly wallets: Wallets;
  readonly sign: Sign;
  readonly network: LedgerNetwork;
  /** Whether what we did must be looked up on the network later, because its whole history is not read. */
  readonly keepsUntold: boolean;
  /** A hint after a user was heard of: a wallet can be made before anybody needs it. */
  readonly prepareWallet: (user: ConsumedUser) => void;
  readonly routes: readonly BoundRoute[];
  readonly jobs: readonly Job[];
};
