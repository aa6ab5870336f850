import type { Instant } from '@holdfast/kernel/context';
import type { DisputeId, EscrowId, MarketplaceId, MessageId, OrderId, SagaRunId, UserId } from '@holdfast/kernel/ids';
import type { Duration } from '@holdfast/kernel/instants';
import { money, type Money } from '@holdfast/kernel/money';
import type { ActiveRun as SagaActiveRun, Failure } from '@holdfast/sagas';
import type { DisputeStatus } from './dispute-states.js';
import type { EscrowStatus } from './escrow-states.js';
import type { MilestoneStatus } from './milestone-states.js';
import type { OrderStatus } from './order-states.js';

/** The sagas of one milestone. */
export const milestoneSagaNames = ['release-milestone', 'refund-milestone', 'resolve-milestone-dispute'] as const;
export const sagaNames = [
  'reserve',
  'cancel',
  'create-escrow',
  'fund',
  'release',
  'refund',
  'resolve-dispute',
  ...milestoneSagaNames,
] as const;
export type SagaName = (typeof sagaNames)[number];

export type CloseReason = 'RELEASED' | 'REFUNDED' | 'SPLIT' | 'CANCELED';
export type ContractType = 'single-release' | 'multi-release';
export type ReleaseMode = 'order' | 'milestone';
export type NotDeliveredRule = 'none' | 'refund';
export type NoResponseRule = 'none' | 'opener';
/** Why something was paid out that no caller requested. */
export type PayoutCause = 'review_period' | 'not_delivered' | 'dispute';
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
  /** The last submission. */
  readonly submittedAt: Instant | null;
  /** When the milestone is released unless a party objects. Null without a running review. */
  readonly autoReleaseAt: Instant | null;
  /** The end of the review before it was extended. */
  readonly firstAutoReleaseAt: Instant | null;
  /** The end of the review that was announced as due soon. */
  readonly noticedReleaseAt: Instant | null;
  /** When a review of an order that is paid as a whole ended without an objection. */
  readonly reviewEndedAt: Instant | null;
  readonly releasedAt: string | null;
  /** Paid to the seller, before the fee. */
  readonly released: Money;
  readonly refunded: Money;
  /** The platform's share of what was released. */
  readonly fee: Money;
  /** The newest dispute about this milestone. */
  readonly disputeId: DisputeId | null;
  readonly evidence: readonly Evidence[];
  /** Its open saga run. Runs of different milestones do not exclude each other. */
  readonly activeRun: ActiveRun | null;
  /** The two messages about its payout, until both have arrived. */
  readonly contractPayout: MilestonePayout | null;
  readonly ledgerPayout: LedgerPayout | null;
};

export type Evidence = {
  readonly text?: string;
  readonly url?: string;
  readonly at: Instant;
  /** The credential that submitted it. */
  readonly by: string;
};

/** What the contract has paid for a milestone. The share of the seller is before the fee. */
export type MilestonePayout = {
  readonly seller: string;
  readonly buyer: string;
  readonly fee: string;
  readonly settledAt: string;
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

/** How a dispute is resolved. Both shares are before the fee and add up to the amount in dispute. */
export type Resolution = {
  readonly decision: DisputeDecision;
  readonly release: Money;
  readonly refund: Money;
  readonly note: string | null;
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
  /** The milestone that it is about. Null for the whole order. */
  readonly milestoneRef: string | null;
  /** Until when the other side can respond. Only an outage of the platform moves it. */
  readonly respondBy: Instant | null;
  /** When it is overdue. */
  readonly decideBy: Instant | null;
  readonly onNoResponse: NoResponseRule;
  readonly evidenceEntries: readonly DisputeEvidence[];
  /** When the side that did not open it first responded, if it did so in time. */
  readonly respondedAt: Instant | null;
  /** When the deadlines were announced as due soon. */
  readonly responseNoticedAt: Instant | null;
  readonly decisionNoticedAt: Instant | null;
  /** Set if it was not decided in time. */
  readonly overdueAt: Instant | null;
};

/** What a marketplace has decided about its disputes. */
export type DisputeRules = {
  readonly responsePeriod: Duration | null;
  readonly decisionPeriod: Duration | null;
  readonly onNoResponse: NoResponseRule;
};

export type DisputeEvidence = {
  readonly text: string | null;
  readonly url: string | null;
  readonly by: DisputeParty;
  readonly at: Instant;
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

/** The open saga run of the order or of a milestone, and the input of its later steps. */
export type ActiveRun = SagaActiveRun<SagaName> & {
  /** The requester as events name it. */
  readonly requestedBy: string;
  readonly reason: string | null;
  /** The resolution that the saga carries out, if it resolves a dispute. */
  readonly resolution: Resolution | null;
  readonly cause: PayoutCause | null;
  /** The platform's share of a milestone. It was fixed when the run started, because others may be released meanwhile. */
  readonly fee: Money | null;
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
  readonly releaseMode: ReleaseMode;
  /** How long a submitted milestone is reviewed. Null: nothing is released automatically. */
  readonly reviewPeriod: Duration | null;
  readonly deliverBy: Instant | null;
  readonly onNotDelivered: NotDeliveredRule;
  /** Set when `deliverBy` has passed and the order was not to be refunded for it. */
  readonly deliveryCheckedAt: Instant | null;
  readonly milestones: readonly Milestone[];
  readonly escrow: Escrow | null;
  /** The newest dispute about the whole order. */
  readonly dispute: Dispute | null;
  /** The newest dispute of each milestone that has had one. */
  readonly milestoneDisputes: readonly Dispute[];
  /** Set while a decision is about one milestone: `activeRun` and `dispute` then belong to the milestone. */
  readonly focus: MilestoneFocus | null;
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

export type MilestoneFocus = {
  readonly ref: string;
  /** The run and the dispute of the whole order. */
  readonly orderRun: ActiveRun | null;
  readonly orderDispute: Dispute | null;
};

export type NewOrder = Pick<
  Order,
  'id' | 'marketplaceId' | 'clientOrderRef' | 'buyerId' | 'sellerId' | 'amount' | 'title' | 'description' | 'metadata'
> &
  Pick<Order, 'feeBasisPoints' | 'releaseMode' | 'reviewPeriod' | 'deliverBy' | 'onNotDelivered'> & {
    readonly milestones: readonly NewMilestone[];
  };

type NewMilestone = Pick<Milestone, 'ref' | 'title' | 'amount'>;

export function newOrder(given: NewOrder, at: Instant): Order {
  return {
    ...given,
    status: 'ORDER_CREATED',
    deliveryCheckedAt: null,
    escrow: null,
    dispute: null,
    milestoneDisputes: [],
    focus: null,
    ledgerPayout: null,
    closeReason: null,
    activeRun: null,
    version: 0,
    lastEventId: null,
    createdAt: at,
    updatedAt: at,
    milestones: given.milestones.map(newMilestone),
  };
}

export function newMilestone({ ref, title, amount }: NewMilestone): Milestone {
  const nothing = money(0n, amount.currency);
  return {
    ref,
    title,
    amount,
    status: 'OPEN',
    completedAt: null,
    submittedAt: null,
    autoReleaseAt: null,
    firstAutoReleaseAt: null,
    noticedReleaseAt: null,
    reviewEndedAt: null,
    releasedAt: null,
    released: nothing,
    refunded: nothing,
    fee: nothing,
    disputeId: null,
    evidence: [],
    activeRun: null,
    contractPayout: null,
    ledgerPayout: null,
  };
}
