import type { Instant } from '@holdfast/shared/context';
import type { DisputeCommentRecord, OrderRecord } from '@holdfast/shared/contracts/http';
import type { Envelope, MessageDeclaration } from '@holdfast/shared/contracts/messages';
import type { ErrorCode, ErrorDetails } from '@holdfast/shared/errors';
import type { DisputeId, MarketplaceId, MessageId, NewId, OrderId, SagaRunId } from '@holdfast/shared/ids';
import type { KnownUsers } from '@holdfast/shared/known-users';
import type { Listed, PageFilter } from '@holdfast/shared/pages';
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
export type Told = {
  readonly declaration: MessageDeclaration;
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  readonly aggregatePart?: string;
  readonly marketplaceId: MarketplaceId;
  readonly correlationId: string;
  readonly causationId?: MessageId;
  readonly sagaRunId?: SagaRunId;
  readonly step?: string;
  readonly payload: unknown;
};

/** How an operation ended, with the order as it then was. */
export type Outcome =
  | { readonly status: 'succeeded'; readonly record: OrderRecord }
  | { readonly status: 'failed'; readonly code: ErrorCode; readonly details: ErrorDetails };

export type NewRun = {
  readonly saga: SagaName;
  readonly orderId: OrderId;
  readonly marketplaceId: MarketplaceId;
  readonly requestId: string;
};

/** A run that is not closed yet. */
export type OpenRun = NewRun & { readonly id: SagaRunId; readonly begunAt: Instant };

export type Comment = Omit<DisputeCommentRecord, 'createdAt'> & { readonly createdAt: Instant };

/** One transaction: everything in it happens, or nothing does. */
export type Work = {
  readonly orders: {
    /** Undefined where the marketplace has no such order. Whoever else wants it waits until this transaction has ended. */
    readonly lock: (marketplaceId: MarketplaceId, id: string) => Promise<Order | undefined>;
    /** The same, by the dispute it is known for. */
    readonly lockDisputed: (marketplaceId: MarketplaceId, disputeId: DisputeId) => Promise<Order | undefined>;
    /** The order itself, or the id of the one that has its client reference. */
    readonly insert: (order: Order) => Promise<OrderId>;
    /** Whatever differs between the two. */
    readonly save: (before: Order, after: Order) => Promise<void>;
  };
  readonly parties: (order: Order) => Promise<readonly Party[]>;
  readonly addComment: (comment: Comment) => Promise<void>;
  readonly runs: {
    readonly begin: (run: NewRun) => Promise<SagaRunId>;
    /** Answers whoever waits, while the run goes on. */
    readonly answer: (runId: SagaRunId, outcome: Outcome) => Promise<void>;
    readonly close: (runId: SagaRunId, outcome: Outcome) => void;
  };
  readonly tell: (told: Told) => void;
};

export type Deps = {
  readonly inTransaction: <Result>(work: (tx: Work) => Promise<Result>) => Promise<Result>;
  /** The same for what a message brings about: it happens once, however often the message comes. */
  readonly hear: (message: Envelope, work: (tx: Work) => Promise<void>) => Promise<void>;
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
  readonly users: Pick<KnownUsers, 'demand' | 'hear' | 'notedVersion'>;
  readonly runs: {
    /** PROVIDER_TIMEOUT at the time limit, while the saga goes on. */
    readonly outcomeOf: (runId: SagaRunId) => Promise<Outcome>;
    /** Those that began before that long ago, oldest first. */
    readonly open: (olderThanMs: number, limitMax: number) => Promise<readonly OpenRun[]>;
    readonly find: (id: SagaRunId) => Promise<OpenRun | undefined>;
  };
  readonly amountLimits: { readonly minUnits: bigint; readonly maxUnits: bigint };
  readonly newId: NewId;
};
