import type { Instant } from '@holdfast/kernel/context';
import type { DisputeId, EscrowId, MarketplaceId, MessageId, OrderId, SagaRunId, UserId } from '@holdfast/kernel/ids';
import type { Duration } from '@holdfast/kernel/instants';
import type { Money } from '@holdfast/kernel/money';
import type { ActiveRun as SagaActiveRun, Failure } from '@holdfast/sagas';
import type { DisputeStatus } from './dispute-states.js';
import type { EscrowStatus } from './escrow-states.js';
import type { MilestoneStatus } from './milestone-states.js';
import type { OrderStatus } from './order-states.js';

export const sagaNames = ['reserve', 'cancel', 'create-escrow', 'fund', 'release', 'refund', 'resolve-dispute'] as const;
export type SagaName = (typeof sagaNames)[number];

export type CloseReason = 'RELEASED' | 'REFUNDED' | 'SPLIT' | 'CANCELED';
export type ContractType = 'single-release' | 'multi-release';
export type NoResponseRule = 'none' | 'opener';
export type DisputeParty = 'BUYER' | 'SELLER';
export type DisputeReason = 'NOT_DELIVERED' | 'QUALITY_ISSUE' | 'OTHER';
export type DisputeDecision = 'FULL_RELEASE' | 'FULL_REFUND' | 'SPLIT';
export type Metadata = Readonly<Record<string, unknown>>;

export type Milestone = {
  readonly ref: string;
  readonly title: string;
  readonly amount: Money;
  readonly status: MilestoneStatus;
  readonly completedAt: Instant | null;
};

export type Escrow = {
  readonly id: EscrowId;
  readonly status: EscrowStatus;
  /** Chosen at creation. Every later call to the provider uses it. */
  readonly contractType: ContractType;
  readonly providerContractId: string | null;
  /** DISPUTED by an attempt of this platform to pay out that failed afterwards; the order can still be released or refunded. */
  readonly isDisputedByAttempt: boolean;
  /** Times as the provider reported them. */
  readonly fundedAt: string | null;
  readonly releasedAt: string | null;
  readonly refundedAt: string | null;
  /** Counts the public events that this service publishes about the escrow. */
  readonly version: number;
};

/** How a dispute is resolved. Both shares are before the fee and add up to the amount of the order. */
export type Resolution = {
  readonly decision: DisputeDecision;
  readonly release: Money;
  readonly refund: Money;
  readonly note: string | null;
};

/** What a marketplace has decided about its disputes. */
export type DisputeRules = {
  readonly responsePeriod: Duration | null;
  readonly decisionPeriod: Duration | null;
  readonly onNoResponse: NoResponseRule;
};

export type Dispute = {
  readonly id: DisputeId;
  readonly openedBy: DisputeParty;
  readonly reason: DisputeReason;
  readonly evidence: readonly string[] | null;
  readonly status: DisputeStatus;
  readonly assignedTo: string | null;
  readonly resolution: Resolution | null;
  readonly resolvedBy: string | null;
  readonly version: number;
  readonly createdAt: Instant;
  readonly resolvedAt: Instant | null;
};

/** The payout that ledger-balance reported, with the balances after it. */
export type LedgerPayout = {
  readonly fee: string;
  readonly payouts: readonly { readonly userId: UserId; readonly amount: string; readonly newAvailableBalance: string }[];
  /** The last public event about the payout. It is the predecessor of the events that close the order. */
  readonly afterEventId?: MessageId;
};

/** The run of a sequence of sagas. Once a saga of it has failed, only its compensation follows. */
export type SequenceRun = { readonly runId: SagaRunId; readonly failure: Failure | null };

/** The open saga run of the order, and the input of its later steps. */
export type ActiveRun = SagaActiveRun<SagaName> & {
  /** The requester as events name it. */
  readonly requestedBy: string;
  readonly reason: string | null;
  /** The resolution that resolve-dispute carries out. */
  readonly resolution: Resolution | null;
  /** The sequence that the run belongs to. */
  readonly partOf: SequenceRun | null;
};

export type Order = {
  readonly id: OrderId;
  readonly marketplaceId: MarketplaceId;
  readonly clientOrderRef: string | null;
  readonly buyerId: UserId;
  readonly sellerId: UserId;
  readonly amount: Money;
  readonly status: OrderStatus;
  readonly title: string;
  readonly description: string | null;
  readonly metadata: Metadata;
  readonly feeBasisPoints: bigint;
  readonly milestones: readonly Milestone[];
  readonly escrow: Escrow | null;
  /** The newest dispute. */
  readonly dispute: Dispute | null;
  /** The payout of the ledger, stored until the order is closed. */
  readonly ledgerPayout: LedgerPayout | null;
  readonly closeReason: CloseReason | null;
  readonly activeRun: ActiveRun | null;
  /** Counts the public events of the order. */
  readonly version: number;
  /** The predecessor of the next event: the last event about the order, or the event that caused its last change. */
  readonly lastEventId: MessageId | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export type NewOrder = Pick<
  Order,
  'id' | 'marketplaceId' | 'clientOrderRef' | 'buyerId' | 'sellerId' | 'amount' | 'title' | 'description' | 'metadata'
> &
  Pick<Order, 'feeBasisPoints'> & { readonly milestones: readonly Pick<Milestone, 'ref' | 'title' | 'amount'>[] };

export function newOrder(given: NewOrder, at: Instant): Order {
  return {
    ...given,
    status: 'ORDER_CREATED',
    escrow: null,
    dispute: null,
    ledgerPayout: null,
    closeReason: null,
    activeRun: null,
    version: 0,
    lastEventId: null,
    createdAt: at,
    updatedAt: at,
    milestones: given.milestones.map(({ ref, title, amount }) => ({ ref, title, amount, status: 'OPEN', completedAt: null })),
  };
}
