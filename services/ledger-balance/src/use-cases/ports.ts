import type { Context, Instant } from '@holdfast/kernel/context';
import type { BalanceTransaction, TransferType } from '@holdfast/contracts/http';
import type {
  CustodyAsset,
  custodyTransactionsLanded,
  Envelope,
  MessageDeclaration,
  Payload,
} from '@holdfast/contracts/messages';
import type { AppError } from '@holdfast/kernel/errors';
import type { MarketplaceId, TransferId, UserId } from '@holdfast/kernel/ids';
import type { UserLookup, KnownUsers } from '@holdfast/service-host/known-users';
import type { Currency } from '@holdfast/kernel/money';
import type { Listed, PageFilter } from '@holdfast/kernel/pages';
import type { Account } from '../domain/accounts.js';
import type { BookChanges } from '../domain/book-changes.js';
import type { Instruction } from '../domain/instructions.js';

export type { UserLookup };

/** A message about to be told; the envelope around it is made where it is stored. */
export type OutgoingMessage = {
  readonly declaration: MessageDeclaration;
  readonly aggregateId: string;
  readonly aggregatePart: string;
  readonly aggregateVersion: number;
  readonly payload: unknown;
};

/** How a saga message is answered, in the same commit as its effect. Without `refused` a refusal is a failure, tried again. */
export type Reply = {
  /** Given the account of the user in question, as it is afterwards. */
  readonly done: (user: Account, changes: BookChanges) => OutgoingMessage;
  readonly refused?: (user: Account, refusal: AppError) => OutgoingMessage;
};

/** An instruction with everything that goes into the books beside it. */
export type Posting = {
  readonly instruction: Instruction;
  readonly type: TransferType;
  readonly marketplaceId: MarketplaceId;
  /** Unique: the message id, else the operation id. Where it is absent the poster gives it one of its own before the first try. */
  readonly cause?: string | undefined;
  readonly reference?: string | undefined;
  readonly description?: string | undefined;
  readonly orderId?: string | undefined;
  readonly requestId: string;
  /** The message that asked for it. It is noted in the inbox together with the effect, or with the refusal. */
  readonly message?: Envelope | undefined;
  readonly reply?: Reply | undefined;
};

export type Amounts = { readonly availableUnits: bigint; readonly reservedUnits: bigint };

/** The outcome of a posting; the same again when the posting is repeated. */
export type Posted = Amounts & { readonly transferId: TransferId | null; readonly at: Instant };

export type Balance = Amounts & { readonly userId: UserId; readonly currency: Currency; readonly updatedAt: Instant };

/** A balance as an operation left it. */
export type BalanceAfter = Posted & { readonly transferId: TransferId; readonly userId: UserId; readonly currency: Currency };

export type HistoryFilter = PageFilter & { readonly currency: Currency };

export type BalanceReader = {
  /** Undefined when the marketplace has no such user. */
  readonly find: (marketplaceId: MarketplaceId, userId: UserId, currency: Currency) => Promise<Balance | undefined>;
  /** Those that have an account in the currency, by user. */
  readonly findMany: (userIds: readonly UserId[], currency: Currency) => Promise<ReadonlyMap<string, Amounts>>;
  /** The currencies in which the order ever had reservations of this user. */
  readonly reservedCurrencies: (userId: UserId, orderId: string) => Promise<readonly Currency[]>;
  /** Newest first, one more than the limit where there is more. Undefined when the cursor is unknown. */
  readonly history: (userId: UserId, filter: HistoryFilter) => Listed<BalanceTransaction>;
};

/** Something the books say of themselves that is not true. */
export type Discrepancy = { readonly rule: string; readonly subject: string; readonly expected: string; readonly found: string };

export type LedgerReport = {
  readonly checkedAt: Instant;
  readonly transfers: bigint;
  readonly accounts: bigint;
  readonly discrepancies: readonly Discrepancy[];
};

export type Deps = {
  /** Posts one instruction, exactly once per cause. Rejects with the refusal, and nothing has changed then. */
  readonly post: (posting: Posting) => Promise<Posted>;
  readonly balances: BalanceReader;
  readonly users: KnownUsers;
  readonly wallets: {
    /** What the user's wallet holds on the ledger network. SERVICE_UNAVAILABLE when nobody can say. */
    readonly networkHoldings: (
      user: UserLookup,
      asset: CustodyAsset,
    ) => Promise<{ readonly address: string; readonly units: bigint }>;
    /** Has the wallet's payments looked at now; those that nobody had told of yet. */
    readonly syncDeposits: (user: UserLookup) => Promise<readonly NewDeposit[]>;
    /** What the books of custody say that the wallet holds. */
    readonly ledgerHoldings: (userId: UserId, asset: CustodyAsset) => Promise<bigint>;
    /** Leaves an audit entry of what a sync did and found. */
    readonly publishSynced: (synced: Synced, ctx: Context) => Promise<void>;
    /** Books where tokens are after transactions have landed. */
    readonly handleTransactionsLanded: (message: Envelope<Payload<typeof custodyTransactionsLanded>>) => Promise<void>;
  };
  readonly checkLedger: () => Promise<LedgerReport>;
};

export type NewDeposit = { readonly asset: CustodyAsset; readonly units: bigint; readonly operationId: string };

export type Synced = {
  readonly userId: UserId;
  readonly asset: CustodyAsset;
  readonly adjustmentUnits: bigint;
  readonly differenceUnits: bigint;
};
