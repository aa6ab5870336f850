import type { Context, Instant } from '@holdfast/kernel/context';
import type { DisputeCommentRecord, OrderRecord, OrderTransfer, RemainingWork } from '@holdfast/contracts/http';
import type { Envelope, marketplaceChanged, Payload, testClockAdvanced } from '@holdfast/contracts/messages';
import type { DisputeId, EscrowId, MarketplaceId, NewId, OrderId, ProjectId, SagaRunId, UserId } from '@holdfast/kernel/ids';
import type { Currency, Money } from '@holdfast/kernel/money';
import type { StopHandler } from '@holdfast/intents/provider-controls';
import type { KnownUser, KnownUsers } from '@holdfast/service-kit/known-users';
import type { Listed, Page, PageFilter } from '@holdfast/kernel/pages';
import type { Failure, Runs, SagaOutcome, SagaTx } from '@holdfast/sagas';
import type { DisputeStatus } from '../domain/dispute-states.js';
import type { DisputeParty, DisputeRules, Order } from '../domain/order.js';
import type { MarketplaceClock } from '../domain/marketplace-clock.js';
import type { OrderStatus } from '../domain/order-states.js';
import type { Party } from '../domain/parties.js';
import type { Project, ProjectStatus } from '../domain/project.js';
import type { ClaimedTimer, HeldTimer } from './timer-ports.js';

export type OrderFilter = PageFilter & {
  readonly status?: OrderStatus | undefined;
  readonly buyerId?: string | undefined;
  readonly sellerId?: string | undefined;
  readonly clientOrderRef?: string | undefined;
};

export type DisputeFilter = PageFilter & {
  readonly orderId?: string | undefined;
  readonly status?: DisputeStatus | undefined;
  readonly openedBy?: DisputeParty | undefined;
  /** Whether it was not decided in time and still is not. */
  readonly overdue?: boolean | undefined;
};

/** How a saga run ended, with the order at that time. */
export type OrderOutcome =
  { readonly status: 'succeeded'; readonly record: OrderRecord } | (Failure & { readonly status: 'failed' });

export type Comment = Omit<DisputeCommentRecord, 'createdAt'> & { readonly createdAt: Instant };

/** An order whose row is locked until the commit, with its buyer and seller. */
export type LockedOrder = PlatformState & {
  readonly order: Order;
  readonly parties: readonly Party[];
  /** What its marketplace has decided about disputes. */
  readonly disputeRules: DisputeRules;
  /** The time of its marketplace. */
  readonly clock: MarketplaceClock;
};

/** Whether a person has stopped signing and payouts, as it was stored when the row was locked. */
export type PlatformState = { readonly isStopped: boolean };

/** A project whose row is locked until the commit, with the newest order that pays for it. */
export type LockedProject = PlatformState & { readonly project: Project; readonly order: Order | undefined };

/** A project as its owner sees it. */
export type ListedProject = Project & { readonly status: ProjectStatus };

export type ProjectFilter = { readonly page: number; readonly limit: number; readonly status?: ProjectStatus | undefined };

/** The writes of one decision. They are committed together or not at all. */
export type UnitOfWork = SagaTx & {
  readonly orders: {
    readonly insert: (order: Order) => void;
    /** Writes the difference between the two. */
    readonly save: (before: Order, after: Order) => void;
  };
  readonly timers: {
    /** The timer waits, because nothing may be paid out now. */
    readonly hold: (timer: HeldTimer) => void;
  };
  /** Makes this order the one that pays for the project. */
  readonly setOrderOfProject: (projectId: ProjectId, orderId: OrderId) => void;
  readonly addComment: (comment: Comment) => void;
  readonly runs: SagaTx['runs'] & {
    /** Resolves the waiting request while the run stays open. */
    readonly respondEarly: (runId: SagaRunId, outcome: SagaOutcome) => void;
    /** No retry helps; the run waits for an operator. */
    readonly stopRetries: (runId: SagaRunId, reason: string) => void;
  };
};

/**
 * Synchronous, because a batch is decided in memory. It is called again when the transaction is retried. If it throws, nothing of
 * it is written.
 */
export type Decide<Facts, Result> = (tx: UnitOfWork, facts: Facts) => Result;

/**
 * Recognises a request that was committed although the response to its COMMIT was lost. Without it the decision is repeated,
 * which must be harmless.
 */
export type CommitCheck<Result> = {
  /**
   * The id of the row that the request creates, chosen before its first attempt. If the row does not exist, nothing was
   * committed.
   */
  readonly createdId?: string;
  /** The result of the committed request, from the current order. Undefined if the order shows that it was not committed. */
  readonly whenCommitted?: (order: Order) => Result | undefined;
};

export type OrderKey<Result> = CommitCheck<Result> & { readonly marketplaceId: MarketplaceId; readonly orderId: string };
export type DisputeKey<Result> = CommitCheck<Result> & { readonly marketplaceId: MarketplaceId; readonly disputeId: DisputeId };

export type NewOrderKey<Result> = {
  readonly id: OrderId;
  readonly marketplaceId: MarketplaceId;
  readonly userIds: readonly UserId[];
  readonly clientOrderRef: string | null;
  /** The project that the order pays for. It is locked. */
  readonly projectId?: ProjectId;
  readonly whenCommitted: (order: Order) => Result;
};

/** The known users among the parties of a new order, the order that already has its client reference, and its project. */
export type NewOrderFacts = {
  readonly users: readonly KnownUser[];
  readonly takenBy: OrderId | undefined;
  /** Undefined if the marketplace has no such project. */
  readonly project: LockedProject | undefined;
};

export type Deps = {
  /** Locks the order and commits the decision. ORDER_NOT_FOUND if the marketplace has no such order. */
  readonly onOrder: <Result>(key: OrderKey<Result>, decide: Decide<LockedOrder, Result>) => Promise<Result>;
  /** Locks the order of a dispute, focused on the milestone that it is about. DISPUTE_NOT_FOUND if the marketplace has no such dispute. */
  readonly onDispute: <Result>(key: DisputeKey<Result>, decide: Decide<LockedOrder, Result>) => Promise<Result>;
  readonly onNewOrder: <Result>(key: NewOrderKey<Result>, decide: Decide<NewOrderFacts, Result>) => Promise<Result>;
  /** Commits the effect of a message with its inbox row, so that a redelivered message has no second effect. */
  readonly onMessage: (message: Envelope, orderId: string, decide: Decide<LockedOrder | undefined, void>) => Promise<void>;
  readonly orders: {
    readonly find: (marketplaceId: MarketplaceId, id: OrderId) => Promise<Order | undefined>;
    readonly findByEscrow: (marketplaceId: MarketplaceId, escrowId: EscrowId) => Promise<Order | undefined>;
    readonly list: (marketplaceId: MarketplaceId, filter: OrderFilter) => Listed<Order>;
    /** Orders of any marketplace. Unknown ids are left out. */
    readonly findMany: (ids: readonly OrderId[]) => Promise<readonly Order[]>;
  };
  readonly disputes: {
    /** The order that is disputed. */
    readonly find: (marketplaceId: MarketplaceId, id: DisputeId) => Promise<Order | undefined>;
    /** The disputed orders. */
    readonly list: (marketplaceId: MarketplaceId, filter: DisputeFilter) => Listed<Order>;
    readonly comments: (id: DisputeId, filter: PageFilter) => Listed<Comment>;
  };
  readonly projects: {
    readonly insert: (project: Project) => Promise<void>;
    /** One page, newest first, with the number of all projects. */
    readonly list: (
      owner: Pick<Project, 'marketplaceId' | 'ownerId'>,
      filter: ProjectFilter,
    ) => Promise<{ readonly items: readonly ListedProject[]; readonly total: number }>;
    /** Locks the project and writes what `cancel` returns. */
    readonly cancel: (
      key: Pick<Project, 'marketplaceId' | 'id'>,
      cancel: (locked: LockedProject | undefined) => Project,
    ) => Promise<Project>;
  };
  readonly users: Pick<KnownUsers, 'require' | 'handleUserChanged' | 'knownVersion'>;
  readonly balances: {
    /** What the user could reserve now, as ledger-balance says. SERVICE_UNAVAILABLE if that does not respond. */
    readonly available: (userId: UserId, currency: Currency, ctx: Pick<Context, 'requestId' | 'caller'>) => Promise<Money>;
  };
  readonly transfers: {
    /** What the journal of ledger-balance has booked for the order. SERVICE_UNAVAILABLE if that does not respond. */
    readonly ofOrder: (
      orderId: OrderId,
      filter: PageFilter,
      ctx: Pick<Context, 'requestId' | 'caller'>,
    ) => Promise<Page<OrderTransfer>>;
  };
  readonly runs: Runs<OrderOutcome>;
  readonly timers: {
    /** Claims due timers and moves their due time, so that the timers of a process that dies are due again. */
    readonly claim: (limit: number) => Promise<readonly ClaimedTimer[]>;
    readonly nextDueInMs: () => Promise<number | undefined>;
    /** Records that the platform is alive. Returns until when no timer pays out, because it was away; null if it never was. */
    readonly beat: () => Promise<Instant | null>;
    /** The user is active again. */
    readonly wakeOfUser: (userId: UserId) => Promise<void>;
  };
  /** The clocks of marketplaces that are ahead of the real time. Only the sandbox has some. */
  readonly testClocks: {
    readonly find: (marketplaceId: MarketplaceId) => Promise<MarketplaceClock>;
    /** Moves each clock that waits for nothing to its next timer, and claims that one. */
    readonly claimNext: () => Promise<readonly ClaimedTimer[]>;
    /** In how many milliseconds a clock can move; zero while one waits. */
    readonly nextStepInMs: () => Promise<number | undefined>;
    /** What is due by the clock and has not ended. Held timers do not count. */
    readonly remaining: (marketplaceId: MarketplaceId) => Promise<readonly RemainingWork[]>;
    readonly handleAdvanced: (message: Envelope<Payload<typeof testClockAdvanced>>, ctx: Context) => Promise<void>;
  };
  /** How long a request waits for each saga that it starts. */
  readonly timeoutMs: number;
  /** An open run that is older than this did not end after its abort was requested: its participant has started the step. */
  readonly unabortedAfterMs: number;
  /** Counts settlements whose outcome contradicts what was decided. Each needs an operator. */
  readonly settlementsContradicted: { readonly inc: () => void };
  /** The setting EMERGENCY_STOP: no saga that signs starts in this process, whatever is stored. */
  readonly isStoppedBySetting: boolean;
  readonly handleStopChanged: StopHandler;
  readonly handleMarketplaceChanged: (message: Envelope<Payload<typeof marketplaceChanged>>, ctx: Context) => Promise<void>;
  readonly amountLimits: { readonly minUnits: bigint; readonly maxUnits: bigint };
  readonly newId: NewId;
};
