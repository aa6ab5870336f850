import type { CustodyPlace } from '@holdfast/contracts/messages';
import type { Context, Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { MarketplaceId, MessageId, UserId, WalletId } from '@holdfast/kernel/ids';
import type { CustodyAsset } from '@holdfast/kernel/money';
import type { StoredIdentity } from '../../domain/installation.js';
import type { Spendable } from '../entry-ports.js';
import type { SpendingKeys } from '@holdfast/ledger-network/rpc';
import type { SealedSeed } from '@holdfast/ledger-network/signing';

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
   * it, one channel is refilled; throws IntentPaused until that has landed. `spendable` is what was just read of
   * `treasuryKeys`.
   */
  readonly treasuryPayers: (
    amount: { readonly asset: CustodyAsset; readonly units: bigint },
    spendable?: Spendable,
  ) => Promise<readonly TreasuryPayer[]>;
  /** The entries that say what the treasury and its channels can spend of each asset. */
  readonly treasuryKeys: Readonly<Record<CustodyAsset, SpendingKeys>>;
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

export type WalletOwner = {
  readonly userId: UserId;
  readonly marketplaceId: MarketplaceId;
  /** The public event about the user, if it is known: the event stream must show it before the event about the wallet. */
  readonly afterEventId?: MessageId | undefined;
};

export type Wallet = {
  readonly userId: UserId;
  readonly marketplaceId: MarketplaceId;
  readonly address: string;
  readonly createdAt: Instant;
  /** Null until the account is needed. */
  readonly activationRequestedAt: Instant | null;
  /** Null until the network has the account with its trustline. */
  readonly activatedAt: Instant | null;
};

export type SealedWallet = SealedSeed & { readonly userId: UserId; readonly address: string };

export type NewWallet = SealedWallet &
  WalletOwner & {
    readonly id: WalletId;
    readonly createdAt: Instant;
  };

/** A wallet whose key is held by the user. */
export type LinkedWallet = { readonly id: WalletId; readonly publicKey: string; readonly connectedAt: Instant };

export type LinkedWallets = {
  /**
   * Stores the link, or finds the link of the same key, and makes it the primary one. Publishes `user.ledger_linked` once per link, and
   * an audit entry for each change, in the same commit. LIMIT_EXCEEDED if the user has too many links.
   */
  readonly connect: (
    link: LinkedWallet & { readonly userId: UserId; readonly marketplaceId: MarketplaceId },
    origin: Pick<Context, 'caller' | 'requestId' | 'at'>,
  ) => Promise<LinkedWallet>;
};

/** The wallets of all users; a wallet is created when it is first needed. */
export type WalletDirectory = {
  /** Creates the wallet if it is missing; concurrent calls for a user return the same wallet. */
  readonly walletOf: (user: WalletOwner) => Promise<Wallet>;
  /** Resolves when the network has the account. Throws WalletNotActive; see `Activation`. */
  readonly activeAddressOf: (user: WalletOwner, waitMsMax: number) => Promise<string>;
  /** Creates the wallets of stored users that have none, which a process that died may have left. */
  readonly makeMissing: (signal: AbortSignal) => Promise<void>;
};

export type LockedIdentity = {
  readonly stored: StoredIdentity;
  /** Only where this start has just stored the identity: one wallet for each master key that wraps any. */
  readonly samples: readonly SealedWallet[];
};

/** The account cannot be used yet: it waits for the network, or for the marketplace's limit. */
export class WalletNotActive extends AppError {
  constructor(reason: string, retryAfterSeconds: number) {
    super('SERVICE_UNAVAILABLE', { reason, retryAfterSeconds });
    this.name = 'WalletNotActive';
  }
}
