import type { Context, Instant } from '@holdfast/kernel/context';
import type { DisputeCommentRecord, OrderRecord } from '@holdfast/contracts/http';
import type { Envelope, MessageDeclaration } from '@holdfast/contracts/messages';
import type {
  DisputeId,
  EscrowId,
  MarketplaceId,
  MessageId,
  NewId,
  OrderId,
  ProjectId,
  SagaRunId,
  UserId,
} from '@holdfast/kernel/ids';
import type { Currency, Money } from '@holdfast/kernel/money';
import type { StopHandler } from '@holdfast/intents/provider-controls';
import type { KnownUser, KnownUsers } from '@holdfast/service-kit/known-users';
import type { Listed, PageFilter } from '@holdfast/kernel/pages';
import type { DisputeStatus } from '../domain/dispute-states.js';
import type { DisputeParty, Failure, Order, RunName, SagaName } from '../domain/order.js';
import type { OrderStatus } from '../domain/order-states.js';
import type { Party } from '../domain/parties.js';
import type { Project, ProjectStatus } from '../domain/project.js';

export type OrderFilter = PageFilter & {
  readonly status?: OrderStatus | undefined;
  readonly buyerId?: string | undefined;
  readonly sellerId?: string | undefined;
};

export type DisputeFilter = PageFilter & {
  readonly orderId?: string | undefined;
  readonly status?: DisputeStatus | undefined;
  readonly openedBy?: DisputeParty | undefined;
};

/** A message before it gets its envelope, which the outbox adds. */
export type OutgoingMessage = {
  /** The outbox chooses an id if this one is absent. */
  readonly id?: MessageId | undefined;
  /** The outbox takes the current time if this one is absent. */
  readonly occurredAt?: Instant | undefined;
  readonly declaration: MessageDeclaration;
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  readonly aggregatePart?: string;
  readonly marketplaceId: MarketplaceId;
  readonly correlationId: string;
  readonly causationId?: MessageId | undefined;
  readonly afterEventId?: MessageId | undefined;
  readonly saga?: SagaName;
  readonly sagaRunId?: SagaRunId;
  readonly payload: unknown;
};

/** How a saga run ended, with the order at that time. */
export type SagaOutcome =
  { readonly status: 'succeeded'; readonly record: OrderRecord } | (Failure & { readonly status: 'failed' });

export type ExpectedOutcome = {
  /** Rejects with PROVIDER_TIMEOUT at the time limit; the saga continues. */
  readonly outcome: Promise<SagaOutcome>;
  /** Ends the wait when the run could not be started. */
  readonly cancel: () => void;
};

export type NewRun = {
  readonly id: SagaRunId;
  readonly saga: RunName;
  readonly orderId: OrderId;
  readonly marketplaceId: MarketplaceId;
  readonly requestId: string;
};

export type OpenRun = NewRun & {
  readonly begunAt: Instant;
  /** How often its command was resent. */
  readonly attempts: number;
  /** Null if the retries were stopped. */
  readonly nextRetryAt: Instant | null;
  /** Why no retry helps. An operator must look. */
  readonly retryStoppedReason: string | null;
};

export type Comment = Omit<DisputeCommentRecord, 'createdAt'> & { readonly createdAt: Instant };

/** An order whose row is locked until the commit, with its buyer and seller. */
export type LockedOrder = PlatformState & { readonly order: Order; readonly parties: readonly Party[] };

/** Whether a person has stopped signing and payouts, as it was stored when the row was locked. */
export type PlatformState = { readonly isStopped: boolean };

/** A project whose row is locked until the commit, with the newest order that pays for it. */
export type LockedProject = PlatformState & { readonly project: Project; readonly order: Order | undefined };

/** A project as its owner sees it. */
export type ListedProject = Project & { readonly status: ProjectStatus };

export type ProjectFilter = { readonly page: number; readonly limit: number; readonly status?: ProjectStatus | undefined };

/** The writes of one decision. They are committed together or not at all. */
export type UnitOfWork = {
  readonly orders: {
    readonly insert: (order: Order) => void;
    /** Writes the difference between the two. */
    readonly save: (before: Order, after: Order) => void;
  };
  /** From now on this order pays for the project. */
  readonly setOrderOfProject: (projectId: ProjectId, orderId: OrderId) => void;
  readonly addComment: (comment: Comment) => void;
  readonly runs: {
    readonly start: (run: NewRun) => void;
    /** Resolves the waiting request while the run stays open. */
    readonly respondEarly: (runId: SagaRunId, outcome: SagaOutcome) => void;
    readonly close: (runId: SagaRunId, outcome: SagaOutcome) => void;
    /** No retry helps; the run waits for an operator. */
    readonly stopRetries: (runId: SagaRunId, reason: string) => void;
  };
  readonly publish: (message: OutgoingMessage) => void;
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
  /** Locks the order and commits the decision. The locked order is undefined if the marketplace has no such order. */
  readonly onOrder: <Result>(key: OrderKey<Result>, decide: Decide<LockedOrder | undefined, Result>) => Promise<Result>;
  /** Locks the order of a dispute. */
  readonly onDispute: <Result>(key: DisputeKey<Result>, decide: Decide<LockedOrder | undefined, Result>) => Promise<Result>;
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
  readonly runs: {
    /** SERVICE_UNAVAILABLE once the process stops: a request must not start a run that it cannot wait for. */
    readonly requireAccepting: () => void;
    /**
     * Call it before the run starts, so that an immediate outcome is not missed; for a run that has started, a poll finds its outcome.
     * The time limit is per saga.
     */
    readonly expect: (runId: SagaRunId, sagas: number) => ExpectedOutcome;
    /** Open runs that are older than this, oldest first. */
    readonly open: (olderThanMs: number, limitMax: number) => Promise<readonly OpenRun[]>;
    /** Runs whose command must be resent now. Each call sets their next retry, so no other call returns them meanwhile. */
    readonly takeDue: (limitMax: number) => Promise<readonly OpenRun[]>;
    /** Runs that are past their deadline. Each call sets their next deadline, so no other call returns them meanwhile. */
    readonly takeOverdue: (limitMax: number) => Promise<readonly OpenRun[]>;
    /** Starts the back-off of an open run again, also if its retries were stopped. Undefined if the run is not open. */
    readonly restartRetries: (id: SagaRunId) => Promise<OpenRun | undefined>;
  };
  /** An open run that is older than this did not end after its abort was requested: its participant has started the step. */
  readonly unabortedAfterMs: number;
  /** Counts settlements whose outcome contradicts what was decided. Each needs an operator. */
  readonly settlementsContradicted: { readonly inc: () => void };
  /** The setting EMERGENCY_STOP: no saga that signs starts in this process, whatever is stored. */
  readonly isStoppedBySetting: boolean;
  readonly handleStopChanged: StopHandler;
  readonly amountLimits: { readonly minUnits: bigint; readonly maxUnits: bigint };
  readonly newId: NewId;
};
