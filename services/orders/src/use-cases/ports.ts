import type { Instant } from '@holdfast/kernel/context';
import type { DisputeCommentRecord, OrderRecord } from '@holdfast/contracts/http';
import type { Envelope, MessageDeclaration } from '@holdfast/contracts/messages';
import type { ErrorCode, ErrorDetails } from '@holdfast/kernel/errors';
import type { DisputeId, MarketplaceId, MessageId, NewId, OrderId, SagaRunId, UserId } from '@holdfast/kernel/ids';
import type { KnownUser, KnownUsers } from '@holdfast/service-host/known-users';
import type { Listed, PageFilter } from '@holdfast/kernel/pages';
import type { DisputeStatus } from '../domain/dispute-states.js';
import type { Party } from '../domain/escrow.js';
import type { DisputeParty, Order, SagaName } from '../domain/order.js';
import type { OrderStatus } from '../domain/order-states.js';

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

/** A message about to be told; the envelope around it is made where it is stored. */
export type OutgoingMessage = {
  /** Where it is known already; otherwise the outbox makes one. */
  readonly id?: MessageId;
  readonly declaration: MessageDeclaration;
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  readonly aggregatePart?: string;
  readonly marketplaceId: MarketplaceId;
  readonly correlationId: string;
  readonly causationId?: MessageId;
  readonly afterEventId?: MessageId;
  readonly saga?: SagaName;
  readonly sagaRunId?: SagaRunId;
  readonly step?: string;
  readonly payload: unknown;
};

/** How an operation ended, with the order as it then was. */
export type SagaOutcome =
  | { readonly status: 'succeeded'; readonly record: OrderRecord }
  | { readonly status: 'failed'; readonly code: ErrorCode; readonly details: ErrorDetails };

export type ExpectedOutcome = {
  /** PROVIDER_TIMEOUT at the time limit, while the saga goes on. */
  readonly outcome: Promise<SagaOutcome>;
  /** For a run that was not begun. */
  readonly cancel: () => void;
};

export type NewRun = {
  readonly id: SagaRunId;
  readonly saga: SagaName;
  readonly orderId: OrderId;
  readonly marketplaceId: MarketplaceId;
  readonly requestId: string;
};

/** A run that is not closed yet. */
export type OpenRun = NewRun & { readonly begunAt: Instant };

export type Comment = Omit<DisputeCommentRecord, 'createdAt'> & { readonly createdAt: Instant };

/** An order that nobody else changes before what is decided on it is committed. */
export type LockedOrder = { readonly order: Order; readonly parties: readonly Party[] };

/** What a decision comes to: everything of it is committed, or nothing is. */
export type UnitOfWork = {
  readonly orders: {
    readonly insert: (order: Order) => void;
    /** Whatever differs between the two. */
    readonly save: (before: Order, after: Order) => void;
  };
  readonly addComment: (comment: Comment) => void;
  readonly runs: {
    readonly start: (run: NewRun) => void;
    /** Answers whoever waits, while the run goes on. */
    readonly respondEarly: (runId: SagaRunId, outcome: SagaOutcome) => void;
    readonly close: (runId: SagaRunId, outcome: SagaOutcome) => void;
  };
  readonly publish: (message: OutgoingMessage) => void;
};

/** Decides at once on what it is given. It may be called again, when the transaction is repeated; what it throws undoes all of it. */
export type Decide<Facts, Result> = (tx: UnitOfWork, facts: Facts) => Result;

/**
 * How to recognise that the request was committed, for the case that the response to its COMMIT was lost. Without it the decision
 * is made again, which must be harmless.
 */
export type CommitCheck<Result> = {
  /** The id that the request creates, chosen before its first try. If it does not exist, nothing was committed. */
  readonly createdId?: string;
  /** The result of a request that was committed, from the order as it is now. Undefined where the order shows that it was not. */
  readonly whenCommitted?: (order: Order) => Result | undefined;
};

export type OrderKey<Result> = CommitCheck<Result> & { readonly marketplaceId: MarketplaceId; readonly orderId: string };
export type DisputeKey<Result> = CommitCheck<Result> & { readonly marketplaceId: MarketplaceId; readonly disputeId: DisputeId };

export type NewOrderKey<Result> = {
  readonly id: OrderId;
  readonly marketplaceId: MarketplaceId;
  readonly userIds: readonly UserId[];
  readonly clientOrderRef: string | null;
  readonly whenCommitted: (order: Order) => Result;
};

/** What is known before an order is created: its users, as far as this service knows them, and who has its client reference. */
export type NewOrderFacts = { readonly users: readonly KnownUser[]; readonly takenBy: OrderId | undefined };

export type Deps = {
  /** Undefined where the marketplace has no such order. */
  readonly onOrder: <Result>(key: OrderKey<Result>, decide: Decide<LockedOrder | undefined, Result>) => Promise<Result>;
  /** The same, for the order of a dispute. */
  readonly onDispute: <Result>(key: DisputeKey<Result>, decide: Decide<LockedOrder | undefined, Result>) => Promise<Result>;
  readonly onNewOrder: <Result>(key: NewOrderKey<Result>, decide: Decide<NewOrderFacts, Result>) => Promise<Result>;
  /** The same for what a message brings about: it happens once, however often the message comes. */
  readonly onMessage: (message: Envelope, orderId: string, decide: Decide<LockedOrder | undefined, void>) => Promise<void>;
  readonly orders: {
    readonly find: (marketplaceId: MarketplaceId, id: OrderId) => Promise<Order | undefined>;
    readonly list: (marketplaceId: MarketplaceId, filter: OrderFilter) => Listed<Order>;
    /** Of any marketplace; those that are not there are left out. */
    readonly findMany: (ids: readonly OrderId[]) => Promise<readonly Order[]>;
  };
  readonly disputes: {
    /** The order that is disputed. */
    readonly find: (marketplaceId: MarketplaceId, id: DisputeId) => Promise<Order | undefined>;
    /** The disputed orders. */
    readonly list: (marketplaceId: MarketplaceId, filter: DisputeFilter) => Listed<Order>;
    readonly comments: (id: DisputeId, filter: PageFilter) => Listed<Comment>;
  };
  readonly users: Pick<KnownUsers, 'require' | 'handleUserChanged' | 'knownVersion'>;
  readonly runs: {
    /** To be called before the run begins: its end finds whoever waits already, however soon it comes. */
    readonly expect: (runId: SagaRunId) => ExpectedOutcome;
    /** Those that began before that long ago, oldest first. */
    readonly open: (olderThanMs: number, limitMax: number) => Promise<readonly OpenRun[]>;
    readonly find: (id: SagaRunId) => Promise<OpenRun | undefined>;
  };
  readonly amountLimits: { readonly minUnits: bigint; readonly maxUnits: bigint };
  readonly newId: NewId;
};
