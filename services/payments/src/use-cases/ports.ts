import type {
  CaseStatus,
  ReconciliationReportRecord,
  RemainingWork,
  TopupStatus,
  WithdrawalStatus,
} from '@holdfast/contracts/http';
import type { CaseKind, Envelope, Payload, testClockAdvanced } from '@holdfast/contracts/messages';
import type { EmergencyStop, SpendingCap } from '@holdfast/intents/provider-controls';
import type { IntentLease, IntentStore, IntentWorker, NewIntent, WorkerState } from '@holdfast/intents';
import type { Context, Instant, Log } from '@holdfast/kernel/context';
import type { CaseId, MarketplaceId, MessageId, NewId, TopupId, UserId, WithdrawalId } from '@holdfast/kernel/ids';
import type { Currency, Money } from '@holdfast/kernel/money';
import type { Listed, PageFilter } from '@holdfast/kernel/pages';
import type { Runs, SagaTx } from '@holdfast/sagas';
import type { KnownUsers, UserLookup } from '@holdfast/service-kit/known-users';
import type { IdempotentRequest } from '@holdfast/service-kit/idempotent-requests';
import type { Case } from '../domain/case.js';
import type { PaymentAccount } from '../domain/payment-account.js';
import type { Topup } from '../domain/topup.js';
import type { Withdrawal } from '../domain/withdrawal.js';
import type { Books } from './books-ports.js';
import type { Holds } from './hold-ports.js';
import type { PaymentSettings } from './payment-settings.js';
import type { PaymentProvider } from './provider-ports.js';
import type { Credentials, FoundAddress, LedgerPayouts, PaymentResolution } from './resolution-ports.js';

type Rows<Item, Id> = {
  readonly insert: (item: Item) => void;
  /** Locks the row until the commit. */
  readonly lock: (id: Id) => Promise<Item | undefined>;
  /** Writes the columns that can change. */
  readonly save: (item: Item) => void;
};

/** The stores of one transaction. Writes are committed together or not at all. */
export type UnitOfWork = SagaTx & {
  /** Calls it once the transaction is committed. */
  readonly afterCommit: (act: () => void) => void;
  readonly topups: Rows<Topup, TopupId> & {
    /** The times of the user's top-ups after `since`, oldest first. */
    readonly createdSince: (marketplaceId: MarketplaceId, userId: UserId, since: Instant) => Promise<readonly Instant[]>;
  };
  readonly withdrawals: Rows<Withdrawal, WithdrawalId> & {
    /** Only for a withdrawal whose amount could not be reserved. */
    readonly delete: (id: WithdrawalId) => void;
    /** The times of the user's withdrawals after `since`, oldest first. */
    readonly createdSince: (marketplaceId: MarketplaceId, userId: UserId, since: Instant) => Promise<readonly Instant[]>;
  };
  readonly holds: Pick<Holds, 'find'>;
  readonly users: {
    /** Locks the row until the commit, so that requests of one user are counted one after the other. False if there is none. */
    readonly lock: (marketplaceId: MarketplaceId, userId: UserId) => Promise<boolean>;
  };
  readonly cases: Omit<Rows<Case, CaseId>, 'insert'> & {
    /** Returns false if a case of this kind and source exists. */
    readonly insertIfNew: (item: Case) => Promise<boolean>;
    readonly lockOfSource: (of: Pick<Case, 'kind' | 'source' | 'sourceId'>) => Promise<Case | undefined>;
  };
  /** When a backup was restored, while the stop that followed is on. */
  readonly restoredAt: () => Promise<Instant | undefined>;
  readonly accounts: {
    readonly find: (userId: UserId) => Promise<PaymentAccount | undefined>;
    /** Locks the row until the commit, so that requests of one user are counted one after the other. */
    readonly lock: (marketplaceId: MarketplaceId, userId: UserId) => Promise<PaymentAccount | undefined>;
    /** Returns false if the user is linked already. */
    readonly insertIfNew: (account: PaymentAccount) => Promise<boolean>;
  };
  /** The platform's own account at the payment provider. */
  readonly providerAccount: {
    /** Stores the capital unless it is known. Returns it, and whether this call has stored it. */
    readonly recordCapital: (units: bigint) => Promise<{ readonly units: bigint; readonly isNew: boolean }>;
    /** Stores the fees of payments. Returns by how much their sum has changed. */
    readonly recordFees: (fees: readonly { readonly providerId: string; readonly units: bigint }[]) => Promise<bigint>;
  };
  readonly reports: { readonly insert: (reports: readonly ReconciliationReportRecord[]) => void };
  readonly intents: {
    /** Stores the intent; the worker is woken after the commit. */
    readonly insert: (intent: NewIntent) => void;
    /** Closes the intent and locks its row, so it comes before the locks of other rows. Throws LeaseLost. */
    readonly close: (intent: IntentLease, at: Instant) => Promise<void>;
    /** The open intent of a top-up, withdrawal or case. */
    readonly findOpen: (subject: string) => Promise<MessageId | undefined>;
    /** The worker runs the intent after the commit, although it is not due yet. */
    readonly wake: (intentId: MessageId) => void;
    /** Stores values for the next run of an open intent, which the worker starts after the commit. */
    readonly requestOfOpen: (of: Pick<NewIntent, 'subject' | 'marketplaceId'>, workerState: WorkerState) => Promise<void>;
  };
  readonly resolutions: {
    /** The decision of operators about a payment, locked until the commit. */
    readonly lock: (paymentId: string) => Promise<PaymentResolution | undefined>;
    readonly save: (resolution: PaymentResolution) => Promise<void>;
  };
};

export type TopupFilter = PageFilter & { readonly userId?: string | undefined; readonly status?: TopupStatus | undefined };
export type WithdrawalFilter = PageFilter & {
  readonly userId?: string | undefined;
  readonly status?: WithdrawalStatus | undefined;
};
export type CaseFilter = PageFilter & {
  readonly userId?: string | undefined;
  readonly status?: CaseStatus | undefined;
  readonly kind?: CaseKind | undefined;
  /** Leaves out cases without a user. */
  readonly hasUser?: boolean;
};
export type ReportFilter = PageFilter & { readonly currency?: Currency | undefined };

/** What is booked for one payment of the provider's statement: credited or paid out, and in cases. */
export type Booking = {
  readonly providerId: string;
  readonly relatedId: string | null;
  readonly userId: UserId | null;
  readonly marketplaceId: MarketplaceId | null;
  readonly bookedUnits: bigint;
  /** A saga run is about to change it. */
  readonly isInFlight: boolean;
};

/** A top-up or withdrawal that the books count as paid. */
export type CompletedPayment = { readonly id: string; readonly providerId: string | null };

export type PaymentRef = { readonly providerId: string; readonly code: string | null };

export type Deps = {
  /** Runs the work in one transaction, once: a repeated operation gets the first result, also after an unknown outcome. */
  readonly perform: <Result>(request: IdempotentRequest, work: (tx: UnitOfWork) => Promise<Result>) => Promise<Result>;
  /** One transaction for work that is idempotent by itself. */
  readonly inTransaction: <Result>(work: (tx: UnitOfWork) => Promise<Result>) => Promise<Result>;
  /** Commits the effect of a message with its inbox row, so that a redelivered message has no second effect. */
  readonly onMessage: (message: Envelope, work: (tx: UnitOfWork) => Promise<void>) => Promise<void>;
  readonly topups: {
    readonly find: (marketplaceId: MarketplaceId, id: TopupId) => Promise<Topup | undefined>;
    readonly list: (marketplaceId: MarketplaceId, filter: TopupFilter) => Listed<Topup>;
    /** A top-up of any marketplace, by our id or by the id at the payment provider. */
    readonly findByCodeOrPayin: (code: string | null, payinId: string | null) => Promise<Topup | undefined>;
    /** Whether the status may be read because a browser returned: at most once in five seconds, over all replicas. */
    readonly takeReturn: (id: TopupId) => Promise<boolean>;
    /** Top-ups whose status must be read now. Each call sets their next poll, so no other call returns them meanwhile. */
    readonly takeDue: (limitMax: number) => Promise<readonly Topup[]>;
    readonly findOpenOfUser: (marketplaceId: MarketplaceId, userId: UserId) => Promise<readonly Topup[]>;
    /** Top-ups whose pay-in must be confirmed now. Each call sets their next read. */
    readonly takeUnconfirmed: (limitMax: number, readAgainMs: number) => Promise<readonly Topup[]>;
    readonly findUnconfirmedOfUser: (marketplaceId: MarketplaceId, userId: UserId) => Promise<readonly Topup[]>;
  };
  readonly holds: Holds;
  readonly withdrawals: {
    /** Undefined while the amount is not reserved. */
    readonly find: (marketplaceId: MarketplaceId, id: WithdrawalId) => Promise<Withdrawal | undefined>;
    readonly list: (marketplaceId: MarketplaceId, filter: WithdrawalFilter) => Listed<Withdrawal>;
    readonly findByCodeOrPayout: (code: string | null, payoutId: string | null) => Promise<Withdrawal | undefined>;
    /** Open withdrawals of this amount to an address on the ledger network. */
    readonly findOpenTo: (address: string, units: bigint) => Promise<readonly Pick<Withdrawal, 'id'>[]>;
    readonly takeDue: (limitMax: number) => Promise<readonly Withdrawal[]>;
    /** Withdrawals to the ledger network that were sent, or may be, and are not completed. */
    readonly findLeaving: () => Promise<readonly Pick<Withdrawal, 'id' | 'amount'>[]>;
    /** Those completed within the last minute: the journal may not have what left the treasury yet. */
    readonly findJustLeft: () => Promise<readonly Pick<Withdrawal, 'id' | 'amount'>[]>;
    readonly findOpenOfUser: (marketplaceId: MarketplaceId, userId: UserId) => Promise<readonly Withdrawal[]>;
  };
  readonly cases: {
    readonly find: (marketplaceId: MarketplaceId, id: CaseId) => Promise<Case | undefined>;
    readonly list: (marketplaceId: MarketplaceId, filter: CaseFilter) => Listed<Case>;
    /** Undefined if this service does not know the user. */
    readonly marketplaceOfUser: (userId: UserId) => Promise<MarketplaceId | undefined>;
    /** What the ledger has booked of cases whose money came as a deposit, by currency. */
    readonly bookedDeposits: () => Promise<ReadonlyMap<Currency, bigint>>;
    /** Open cases about differences between journal and network, which still wait for a decision. */
    readonly openDifferences: () => Promise<readonly Pick<Case, 'id' | 'sourceId'>[]>;
    /** Cases about deposits whose money is not booked yet. */
    readonly unbookedDeposits: () => Promise<readonly Pick<Case, 'id' | 'amount'>[]>;
    /** What persons have written off of differences in solvency, by currency. */
    readonly acceptedDifferences: () => Promise<ReadonlyMap<Currency, bigint>>;
    readonly countUnresolved: () => Promise<readonly { readonly currency: Currency; readonly count: number }[]>;
  };
  readonly bookings: {
    readonly ofPayins: (items: readonly PaymentRef[]) => Promise<readonly Booking[]>;
    readonly ofPayouts: (items: readonly PaymentRef[]) => Promise<readonly Booking[]>;
    /** In the order of their ids, after this one. */
    readonly succeededTopups: (after: string, limitMax: number) => Promise<readonly CompletedPayment[]>;
    /** Those through the payment provider. */
    readonly completedWithdrawals: (after: string, limitMax: number) => Promise<readonly CompletedPayment[]>;
    readonly hasActiveCases: () => Promise<boolean>;
  };
  /** The journal of ledger-balance, and the ledger network as escrow-adapter reads it. */
  readonly books: Books;
  readonly reports: {
    /** Runs the work while no other process does. SERVICE_UNAVAILABLE if one does for too long. */
    readonly exclusively: <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>;
    readonly lastAt: () => Promise<Instant | null>;
    readonly measure: (reports: readonly ReconciliationReportRecord[], at: Instant) => void;
    readonly list: (filter: ReportFilter) => Listed<ReconciliationReportRecord>;
  };
  readonly accounts: { readonly find: (marketplaceId: MarketplaceId, userId: UserId) => Promise<PaymentAccount | undefined> };
  readonly users: Pick<KnownUsers, 'require' | 'handleUserChanged' | 'knownVersion'> & {
    /** The user's e-mail address at identity; null if there is none. */
    readonly findEmail: (lookup: UserLookup) => Promise<string | null>;
  };
  /** The clocks of marketplaces that are ahead of the real time. Only the sandbox has some. */
  readonly testClocks: {
    /** The time of the marketplace at this real time: top-ups expire by it. With a real provider they are the same. */
    readonly timeAt: (marketplaceId: MarketplaceId, at: Instant) => Promise<Instant>;
    readonly offsetSeconds: (marketplaceId: MarketplaceId) => Promise<number>;
    /** Top-ups that have expired and are not canceled yet, and sagas that have not ended. */
    readonly remaining: (marketplaceId: MarketplaceId) => Promise<readonly RemainingWork[]>;
    readonly handleAdvanced: (message: Envelope<Payload<typeof testClockAdvanced>>, ctx: Context) => Promise<void>;
  };
  readonly runs: Runs;
  readonly intents: Pick<IntentStore, 'findOpen' | 'requireLease'> & Pick<IntentWorker, 'waitUntilClosed'>;
  /** The balances of ledger-balance. SERVICE_UNAVAILABLE if it does not respond. */
  readonly balances: {
    readonly available: (
      wanted: { readonly userId: UserId; readonly currency: Currency },
      ctx: Pick<Context, 'caller' | 'requestId'>,
    ) => Promise<Money>;
  };
  /** The accounts of the platform on the ledger network, which escrow-adapter owns. SERVICE_UNAVAILABLE if it does not respond. */
  readonly addresses: { readonly look: (address: string, ctx: Pick<Context, 'caller' | 'requestId'>) => Promise<FoundAddress> };
  /** The payouts on the ledger network, which escrow-adapter sends. SERVICE_UNAVAILABLE if it does not respond. */
  readonly ledgerPayouts: LedgerPayouts;
  readonly credentials: Credentials;
  readonly provider: PaymentProvider;
  /** Asserted right before anything is sent that moves money out. */
  readonly emergencyStop: EmergencyStop;
  /** Counts what is paid out through the payment provider, right before it is committed. */
  readonly payoutCap: SpendingCap;
  readonly settings: PaymentSettings;
  readonly clock: { readonly now: () => Instant };
  readonly newId: NewId;
  readonly log: Log;
};

export type { Money };
