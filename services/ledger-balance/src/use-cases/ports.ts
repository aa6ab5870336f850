import type { Context, Instant } from '@holdfast/kernel/context';
import type { BalanceTransaction, OrderTransfer, ReservationRecord, TransferType } from '@holdfast/contracts/http';
import type {
  AuditFact,
  CustodyAsset,
  CustodyPlace,
  custodyTransactionsLanded,
  Envelope,
  MessageDeclaration,
  Payload,
} from '@holdfast/contracts/messages';
import type { AppError } from '@holdfast/kernel/errors';
import type { MarketplaceId, MessageId, TopupId, TransferId, UserId } from '@holdfast/kernel/ids';
import type { UserLookup, KnownUsers } from '@holdfast/service-kit/known-users';
import type { Currency, Money } from '@holdfast/kernel/money';
import type { Listed, PageFilter } from '@holdfast/kernel/pages';
import type { Account } from '../domain/accounts.js';
import type { BalanceChange, BookChanges } from '../domain/book-changes.js';
import type { Credit, Instruction } from '../domain/instructions.js';
import type { StatedTransfer } from '../domain/statement-text.js';

export type { UserLookup };

/** A message before it gets its envelope, which `postBatch` adds. */
export type OutgoingMessage<Type extends string = string> = {
  readonly declaration: MessageDeclaration & { readonly type: Type };
  readonly aggregateId: string;
  readonly aggregatePart: string;
  readonly aggregateVersion: number;
  readonly payload: unknown;
};

/** The part of the changes that replies are made of. It can be read from the journal, too. */
export type RepliedChanges = { readonly balanceChanges: readonly Pick<BalanceChange, 'after' | 'units'>[] };

/** The reply to a saga message, in the same commit as its effect. A refused message without such a reply is retried. */
export type Reply<Type extends string = string> = {
  /** `user` is the account that the posting is about, after the changes: of a user, or a shared one if it concerns no user. */
  readonly done: (user: Account, changes: RepliedChanges) => OutgoingMessage<Type>;
  readonly refused?: (user: Account, refusal: AppError) => OutgoingMessage<Type> | undefined;
};

/** An instruction with everything else that the journal stores about it. */
export type Posting = {
  readonly instruction: Instruction;
  readonly type: TransferType;
  readonly marketplaceId: MarketplaceId;
  /**
   * Unique: the ledger operation of a deposit, the top-up or the reconciliation case, else the message id, else the operation id. If
   * absent, the poster generates one before the first attempt.
   */
  readonly cause?: string | undefined;
  readonly reference?: string | undefined;
  readonly description?: string | undefined;
  readonly orderId?: string | undefined;
  readonly milestoneRef?: string | undefined;
  readonly requestId: string;
  /** The message that caused the posting. Its inbox row is committed with the effect, or with the refusal. */
  readonly message?: Envelope | undefined;
  readonly reply?: Reply | undefined;
  /** The audit entries of an operation that a caller requested, published in its commit after the events that they report. */
  readonly audit?: ((changes: BookChanges) => readonly OutgoingMessage[]) | undefined;
};

/** A credit that the message about it and a sync may both post; the first of them books it. */
export type CausedCredit = Pick<Posting, 'type' | 'reference' | 'description'> & {
  readonly cause: string;
  readonly instruction: Credit;
};

export type Amounts = { readonly availableUnits: bigint; readonly reservedUnits: bigint };

/** The result of a posting. A repeated posting gets the first result. */
export type Posted = Amounts & { readonly transferId: TransferId | null; readonly at: Instant };

export type Balance = Amounts & { readonly userId: UserId; readonly currency: Currency; readonly updatedAt: Instant };

/** The balance of a user after a posting. */
export type BalanceAfter = Posted & { readonly transferId: TransferId; readonly userId: UserId; readonly currency: Currency };

export type HistoryFilter = PageFilter & { readonly currency: Currency };

export type WantedBalance = {
  readonly userId: UserId;
  readonly currency: Currency;
  /** The balance at this time; the current one if absent. */
  readonly at?: Instant | undefined;
};

/** A moment in the history of a person's account in one currency: the number of its changes so far. */
export type AccountPosition = { readonly id: bigint; readonly version: number; readonly currency: Currency };

/** A change of the sum of available and reserved funds. */
export type AccountTransaction = {
  readonly id: TransferId;
  readonly currency: Currency;
  readonly changeUnits: bigint;
  readonly description: string | null;
  readonly createdAt: Instant;
};

/** The history of a person in all currencies, in numbered pages. */
export type AccountHistory = {
  /** The current ones, sorted by currency. None if the marketplace has no such user. */
  readonly positions: (marketplaceId: MarketplaceId, userId: UserId) => Promise<readonly AccountPosition[]>;
  /** Newest first, up to the positions, with the number of all items. */
  readonly page: (
    positions: readonly AccountPosition[],
    page: { readonly limit: number; readonly offset: number },
  ) => Promise<{ readonly items: readonly AccountTransaction[]; readonly total: number }>;
};

export type BalanceReader = {
  /** Undefined if the marketplace has no such user. */
  readonly find: (marketplaceId: MarketplaceId, wanted: WantedBalance) => Promise<Balance | undefined>;
  /** The balances in every currency that the user has or had, sorted by currency. */
  readonly findAll: (marketplaceId: MarketplaceId, userId: UserId) => Promise<readonly Balance[]>;
  /** By user. Users without an account in the currency are left out. */
  readonly findMany: (userIds: readonly UserId[], currency: Currency) => Promise<ReadonlyMap<string, Amounts>>;
  /** The currencies of all reservations of this user for the order, active or not. */
  readonly reservedCurrencies: (userId: UserId, orderId: string) => Promise<readonly Currency[]>;
  /** Newest first, one more than the limit if there are more. Undefined if the cursor is unknown. */
  readonly history: (userId: UserId, filter: HistoryFilter) => Listed<BalanceTransaction>;
  /** Active reservations, newest first, one more than the limit if there are more. Undefined if the cursor is unknown. */
  readonly reservations: (userId: UserId, filter: PageFilter) => Listed<ReservationRecord>;
};

/** What happened to a balance after `from` and up to `to`. */
export type Period = { readonly userId: UserId; readonly currency: Currency; readonly from: Instant; readonly to: Instant };

export type PeriodSums = {
  /** Null if the user has no account in the currency. */
  readonly accountId: bigint | null;
  readonly opening: Amounts;
  readonly closing: Amounts;
  /** The version of the account at the end of the period. */
  readonly closingVersion: number;
  readonly inUnits: bigint;
  readonly outUnits: bigint;
  readonly feeUnits: bigint;
  /** Whether no later transfer can be dated within the period. */
  readonly isClosed: boolean;
};

/** A place among the lines of a period: at the line with this time and version. */
export type LinePosition = { readonly at: Instant; readonly version: number };

export type StatementTransfer = StatedTransfer &
  Amounts &
  LinePosition & { readonly id: TransferId; readonly type: TransferType };

export type StatementReader = {
  /** Undefined if the marketplace has no such user. */
  readonly sums: (marketplaceId: MarketplaceId, period: Period) => Promise<PeriodSums | undefined>;
  /** Dates all later transfers after the period. It does nothing if a posting holds the account for longer than half a second. */
  readonly close: (marketplaceId: MarketplaceId, period: Period) => Promise<void>;
  /** The position of a line of the period. Undefined if the period has no such line. */
  readonly find: (accountId: bigint, period: Period, transferId: string) => Promise<LinePosition | undefined>;
  /** Oldest first, after the position and up to the last one. */
  readonly lines: (
    accountId: bigint,
    range: { readonly after: LinePosition; readonly last: LinePosition; readonly limit: number },
  ) => Promise<readonly StatementTransfer[]>;
};

/** What the legs of a shared account add up to. */
export type SharedTotal = { readonly owner: string; readonly currency: Currency; readonly units: bigint };

/** What an account or contract of the platform holds on the ledger network, according to the journal. */
export type CustodyAccount = {
  readonly id: bigint;
  readonly place: CustodyPlace;
  readonly ownerId: string | null;
  readonly asset: CustodyAsset;
  readonly units: bigint;
};

export type BookTerm = { readonly term: string; readonly currency: Currency; readonly units: bigint };

export type JournalReader = {
  /** The totals of all platform and external accounts that exist, at one moment. */
  readonly sharedTotals: () => Promise<readonly SharedTotal[]>;
  /** All totals that solvency is computed from, in one snapshot. */
  readonly terms: () => Promise<readonly BookTerm[]>;
  /** The transfers with this order id, newest first, one more than the limit if there are more. Undefined if the cursor is unknown. */
  readonly transfersOfOrder: (marketplaceId: MarketplaceId, orderId: string, filter: PageFilter) => Listed<OrderTransfer>;
  /** Those after the given id, sorted by id, with their units after the ledger. The outside world and fees are left out. */
  readonly custodyAccounts: (after: bigint, limit: number, ledger?: number) => Promise<readonly CustodyAccount[]>;
};

/** A violation of one rule of the ledger. */
export type Discrepancy = { readonly rule: string; readonly subject: string; readonly expected: string; readonly found: string };

export const ledgerBooks = ['available', 'reserved', 'escrow', 'fees', 'suspense', 'provider_costs', 'capital'] as const;
export type LedgerBook = (typeof ledgerBooks)[number];

export type BookTotal = { readonly book: LedgerBook; readonly currency: Currency; readonly units: bigint };

export type LedgerReport = {
  readonly checkedAt: Instant;
  readonly transfers: bigint;
  readonly accounts: bigint;
  readonly discrepancies: readonly Discrepancy[];
  /** Books without any account are left out. */
  readonly books: readonly BookTotal[];
};

export type RunAbort = {
  /** The message whose effect the abort prevents. */
  readonly commandId: MessageId;
  readonly reply: OutgoingMessage;
};

export type Deps = {
  /** Posts one instruction, exactly once per cause. Rejects with the refusal; then nothing has changed. */
  readonly post: (posting: Posting) => Promise<Posted>;
  /** Commits the abort of a saga run, unless its command was handled: then it changes nothing. Returns whether it is aborted. */
  readonly abortRun: (message: Envelope, abort: RunAbort) => Promise<boolean>;
  readonly balances: BalanceReader;
  readonly accountHistory: AccountHistory;
  readonly statements: StatementReader;
  /** Takes one of the places for files, and returns how to free it. RATE_LIMITED or SERVICE_UNAVAILABLE if none is free. */
  readonly takeExportPlace: (marketplaceId: MarketplaceId) => () => void;
  readonly journal: JournalReader;
  readonly users: KnownUsers;
  readonly wallets: {
    /**
     * What the user's wallet holds on the ledger network. SERVICE_UNAVAILABLE if escrow-adapter or the network cannot be reached.
     */
    readonly networkHoldings: (
      user: UserLookup,
      asset: CustodyAsset,
    ) => Promise<{ readonly address: string; readonly units: bigint }>;
    /** Makes escrow-adapter read the wallet's payments now, and returns the deposits that it had not published yet. */
    readonly syncDeposits: (user: UserLookup) => Promise<readonly NewDeposit[]>;
    /** What the wallet holds according to the journal. */
    readonly ledgerHoldings: (userId: UserId, asset: CustodyAsset) => Promise<bigint>;
    /** Publishes a difference that a sync could not explain, with an audit entry. A repeat publishes the same message. */
    readonly publishDifference: (userId: UserId, difference: WalletDifference, ctx: Context) => Promise<void>;
    /** Books the token movements of landed transactions. */
    readonly handleTransactionsLanded: (
      message: Envelope<Payload<typeof custodyTransactionsLanded>>,
      ctx: Context,
    ) => Promise<void>;
  };
  readonly payments: {
    /**
     * Makes payments ask its providers about the open top-ups and withdrawals of the user, and waits for what follows. Returns the
     * top-ups that were credited meanwhile.
     */
    readonly refreshUser: (user: UserLookup) => Promise<readonly CreditedTopup[]>;
  };
  /** Publishes the audit entry of a credit that a message has posted while a sync ran. A repeat publishes the same message. */
  readonly publishAdjustment: (adjustment: Adjustment, ctx: Context) => Promise<void>;
  readonly checkLedger: () => Promise<LedgerReport>;
  /** What the last check of this process has found. Undefined before the first one. */
  readonly lastCheck: () => LedgerReport | undefined;
};

/** The currency is the one to credit, which escrow-adapter decides. */
export type NewDeposit = { readonly currency: Currency; readonly units: bigint; readonly operationId: string };

/** A credit that a sync has found: its cause, when it was posted, and what the audit trail says about it. */
export type Adjustment = {
  readonly cause: string;
  readonly postedAt: Instant;
  readonly userId: UserId;
  readonly fact: AuditFact;
};

export type CreditedTopup = { readonly topupId: TopupId; readonly amount: Money };

/** What a wallet holds on the ledger network, and what the journal says. */
export type WalletDifference = {
  readonly address: string;
  readonly asset: CustodyAsset;
  readonly networkUnits: bigint;
  readonly journalUnits: bigint;
};
