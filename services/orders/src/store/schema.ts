import { tableOf } from '@holdfast/postgres';
import type { Instant } from '@holdfast/kernel/context';
import type { Currency } from '@holdfast/kernel/money';
import type { Dispute, Escrow, Milestone, ActiveRun, Order, Resolution } from '../domain/order.js';
import type { Project } from '../domain/project.js';
import type { HeldReason } from '../domain/timers.js';
import type { Comment } from '../use-cases/ports.js';
import type { ClaimedTimer } from '../use-cases/timer-ports.js';

/** An order with its escrow in one row. Disputes have their own table. */
export type OrderRow = Omit<
  Order,
  'amount' | 'feeBasisPoints' | 'milestones' | 'escrow' | 'dispute' | 'milestoneDisputes' | 'focus' | 'activeRun'
> & {
  readonly amountUnits: bigint;
  readonly currency: Currency;
  readonly feeBasisPoints: number;
  readonly milestones: readonly MilestoneJson[];
  readonly escrowId: Escrow['id'] | null;
  readonly escrowStatus: Escrow['status'] | null;
  readonly contractType: Escrow['contractType'] | null;
  readonly providerContractId: string | null;
  readonly isDisputedByAttempt: boolean;
  readonly fundedAt: string | null;
  readonly releasedAt: string | null;
  readonly refundedAt: string | null;
  readonly escrowVersion: number | null;
  readonly disputeId: Dispute['id'] | null;
  readonly activeRun: ActiveRunJson | null;
};

/** Rows of orders that were created before milestones could be paid one by one have the first five properties only. */
export type MilestoneJson = Pick<Milestone, 'ref' | 'title' | 'status' | 'completedAt'> & { readonly amount: string } & Partial<
    Omit<Milestone, 'amount' | 'released' | 'refunded' | 'fee' | 'activeRun'> & {
      readonly released: string;
      readonly refunded: string;
      readonly fee: string;
      readonly activeRun: ActiveRunJson | null;
    }
  >;
export type ResolutionJson = Omit<Resolution, 'release' | 'refund'> & { readonly release: string; readonly refund: string };
export type ActiveRunJson = Omit<ActiveRun, 'resolution' | 'cause' | 'fee'> & {
  readonly resolution: ResolutionJson | null;
  /** Absent in runs that started before there were causes. */
  readonly cause?: ActiveRun['cause'];
  readonly fee?: string | null;
};

export const orders = tableOf<OrderRow>('orders')({
  id: { column: 'id', type: 'text', isPrimary: true },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  clientOrderRef: { column: 'client_order_ref', type: 'text' },
  buyerId: { column: 'buyer_id', type: 'text' },
  sellerId: { column: 'seller_id', type: 'text' },
  amountUnits: { column: 'amount_units', type: 'bigint' },
  currency: { column: 'currency', type: 'text' },
  status: { column: 'status', type: 'text' },
  title: { column: 'title', type: 'text' },
  description: { column: 'description', type: 'text' },
  metadata: { column: 'metadata', type: 'json' },
  feeBasisPoints: { column: 'fee_basis_points', type: 'integer' },
  releaseMode: { column: 'release_mode', type: 'text' },
  reviewPeriod: { column: 'review_period', type: 'text' },
  deliverBy: { column: 'deliver_by', type: 'timestamptz' },
  onNotDelivered: { column: 'on_not_delivered', type: 'text' },
  deliveryCheckedAt: { column: 'delivery_checked_at', type: 'timestamptz' },
  milestones: { column: 'milestones', type: 'json' },
  closeReason: { column: 'close_reason', type: 'text' },
  escrowId: { column: 'escrow_id', type: 'text' },
  escrowStatus: { column: 'escrow_status', type: 'text' },
  contractType: { column: 'contract_type', type: 'text' },
  providerContractId: { column: 'provider_contract_id', type: 'text' },
  isDisputedByAttempt: { column: 'is_disputed_by_attempt', type: 'boolean' },
  fundedAt: { column: 'funded_at', type: 'timestamptz' },
  releasedAt: { column: 'released_at', type: 'timestamptz' },
  refundedAt: { column: 'refunded_at', type: 'timestamptz' },
  escrowVersion: { column: 'escrow_version', type: 'integer' },
  disputeId: { column: 'dispute_id', type: 'text' },
  ledgerPayout: { column: 'ledger_payout', type: 'json' },
  activeRun: { column: 'active_run', type: 'json' },
  version: { column: 'version', type: 'integer' },
  lastEventId: { column: 'last_event_id', type: 'text' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
  updatedAt: { column: 'updated_at', type: 'timestamptz' },
});

export type DisputeRow = Omit<Dispute, 'resolution'> & {
  readonly marketplaceId: Order['marketplaceId'];
  readonly orderId: Order['id'];
  readonly resolutionDecision: Resolution['decision'] | null;
  readonly decisionNote: string | null;
  readonly releaseUnits: bigint | null;
  readonly refundUnits: bigint | null;
};

export const disputes = tableOf<DisputeRow>('disputes')({
  id: { column: 'id', type: 'text', isPrimary: true },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  orderId: { column: 'order_id', type: 'text' },
  openedBy: { column: 'opened_by', type: 'text' },
  reason: { column: 'reason', type: 'text' },
  evidence: { column: 'evidence', type: 'json' },
  status: { column: 'status', type: 'text' },
  assignedTo: { column: 'assigned_to', type: 'text' },
  resolutionDecision: { column: 'resolution_decision', type: 'text' },
  decisionNote: { column: 'decision_note', type: 'text' },
  releaseUnits: { column: 'release_units', type: 'bigint' },
  refundUnits: { column: 'refund_units', type: 'bigint' },
  resolvedBy: { column: 'resolved_by', type: 'text' },
  version: { column: 'version', type: 'integer' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
  resolvedAt: { column: 'resolved_at', type: 'timestamptz' },
  milestoneRef: { column: 'milestone_ref', type: 'text' },
  respondBy: { column: 'respond_by', type: 'timestamptz' },
  decideBy: { column: 'decide_by', type: 'timestamptz' },
  onNoResponse: { column: 'on_no_response', type: 'text' },
  evidenceEntries: { column: 'evidence_entries', type: 'json' },
  respondedAt: { column: 'responded_at', type: 'timestamptz' },
  responseNoticedAt: { column: 'response_noticed_at', type: 'timestamptz' },
  decisionNoticedAt: { column: 'decision_noticed_at', type: 'timestamptz' },
  overdueAt: { column: 'overdue_at', type: 'timestamptz' },
});

export type ProjectRow = Omit<Project, 'budget'> & { readonly budgetUnits: bigint; readonly currency: Currency };

export const projects = tableOf<ProjectRow>('projects')({
  id: { column: 'id', type: 'text', isPrimary: true },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  ownerId: { column: 'owner_id', type: 'text' },
  title: { column: 'title', type: 'text' },
  description: { column: 'description', type: 'text' },
  budgetUnits: { column: 'budget_units', type: 'bigint' },
  currency: { column: 'currency', type: 'text' },
  orderId: { column: 'order_id', type: 'text' },
  canceledAt: { column: 'canceled_at', type: 'timestamptz' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
});

export const comments = tableOf<Comment>('dispute_comments')({
  id: { column: 'id', type: 'text', isPrimary: true },
  disputeId: { column: 'dispute_id', type: 'text' },
  text: { column: 'text', type: 'text' },
  author: { column: 'author', type: 'text' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
});

export type TimerRow = Omit<ClaimedTimer, 'retryAt'> & { readonly dueAt: Instant; readonly heldReason: HeldReason | null };

export const timers = tableOf<TimerRow>('timers')({
  id: { column: 'id', type: 'text', isPrimary: true },
  orderId: { column: 'order_id', type: 'text' },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  kind: { column: 'kind', type: 'text' },
  subject: { column: 'subject', type: 'text' },
  dueAt: { column: 'due_at', type: 'timestamptz' },
  attempts: { column: 'attempts', type: 'integer' },
  heldReason: { column: 'held_reason', type: 'text' },
});

export const entities = [orders, disputes, projects, comments].map(({ entity }) => entity);
