import type { CallerType, Instant } from '@holdfast/kernel/context';
import type { DisputeId, EscrowId, MarketplaceId, MessageId, OrderId, SagaRunId, UserId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import type { DisputeStatus } from './dispute-states.js';
import type { EscrowStatus } from './escrow-states.js';
import type { MilestoneStatus } from './milestone-states.js';
import type { OrderStatus } from './order-states.js';

export const sagaNames = ['reserve', 'cancel', 'create-escrow', 'fund', 'release', 'refund', 'resolve-dispute'] as const;
export type SagaName = (typeof sagaNames)[number];

export type CloseReason = 'RELEASED' | 'REFUNDED' | 'SPLIT' | 'CANCELED';
export type ContractType = 'single-release' | 'multi-release';
export type DisputeParty = 'BUYER' | 'SELLER';
export type DisputeReason = 'NOT_DELIVERED' | 'QUALITY_ISSUE' | 'OTHER';
export type DisputeDecision = 'FULL_RELEASE' | 'FULL_REFUND' | 'SPLIT';
export type Metadata = Readonly<Record<string, unknown>>;

/** Who is behind a change: a credential, or the platform itself. */
export type Actor = { readonly type: CallerType; readonly id: string };

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
  /** Chosen once; every later call to the provider uses it. */
  readonly contractType: ContractType;
  readonly providerContractId: string | null;
  /** As they were told. */
  readonly fundedAt: string | null;
  readonly releasedAt: string | null;
  readonly refundedAt: string | null;
  /** Counts the public events that this service tells of it. */
  readonly version: number;
};

/** What a dispute comes to. The parts are before the fee, and add up to the amount of the order. */
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
};

/** A payout as the ledger told it, with the balances it left. */
export type LedgerPayout = {
  readonly fee: string;
  readonly payouts: readonly { readonly userId: UserId; readonly amount: string; readonly newAvailableBalance: string }[];
  /** The last event that told of it: the end of the order is shown after it. */
  readonly afterEventId?: MessageId;
};

/** The saga run that is under way, and what its later steps must know of how it began. */
export type ActiveRun = {
  readonly runId: SagaRunId;
  readonly saga: SagaName;
  readonly actor: Actor;
  /** As the events name who asked. */
  readonly requestedBy: string;
  readonly reason: string | null;
  /** What a dispute is about to come to. */
  readonly resolution: Resolution | null;
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
  /** The newest one. */
  readonly dispute: Dispute | null;
  /** What the books paid out, until the order is closed with it. */
  readonly ledgerPayout: LedgerPayout | null;
  readonly closeReason: CloseReason | null;
  readonly activeRun: ActiveRun | null;
  /** Counts the public events of the order. */
  readonly version: number;
  /** What the next event is shown after: what was told last of the order, or led to its last change. */
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
