import * as message from '@holdfast/contracts/messages';
import type { Order } from '../domain/order.js';
import type { OrderStatus } from '../domain/order-states.js';
import type { Origin } from './origin.js';

type State = Readonly<Record<string, unknown>>;

/** An audit entry about an order before it is published as audit.recorded. */
export type NewAuditEntry = {
  readonly action: string;
  readonly result?: 'FAILURE';
  readonly reason?: string | null;
  readonly before: State | null;
  readonly after: State | null;
};

/** One entry for each status that the order enters. */
export function statusEntries(
  before: Pick<Order, 'status'> | null,
  statuses: readonly OrderStatus[],
  reason?: string | null,
): readonly NewAuditEntry[] {
  return statuses.map((status, index) => {
    const previous = statuses[index - 1] ?? before?.status;
    return {
      action: status,
      before: previous === undefined ? null : { status: previous },
      after: { status },
      ...(reason === undefined ? {} : { reason }),
    };
  });
}

/** An attempt that failed, with the status of the order before and after it. */
export function failureEntry(action: string, before: Order, after: Order, reason: string): NewAuditEntry {
  return { action, result: 'FAILURE', reason, before: { status: before.status }, after: { status: after.status } };
}

/** The event that an entry with this action reports, if it is published in the same change. */
const reportedEvents: Readonly<Record<string, message.MessageDeclaration>> = {
  ORDER_CREATED: message.orderCreated,
  FUNDS_RESERVED: message.orderFundsReserved,
  ESCROW_CREATING: message.orderEscrowCreating,
  ESCROW_FUNDING: message.orderEscrowFunding,
  ESCROW_FUNDING_STARTED: message.escrowFundingStarted,
  IN_PROGRESS: message.orderInProgress,
  MILESTONE_COMPLETED: message.escrowMilestoneCompleted,
  RELEASE_REQUESTED: message.orderReleaseRequested,
  RELEASED: message.orderReleased,
  REFUND_REQUESTED: message.orderRefundRequested,
  REFUNDED: message.orderRefunded,
  ORDER_CANCELED: message.orderCanceled,
  CLOSED: message.orderClosed,
  DISPUTED: message.orderDisputed,
  DISPUTE_OPENED: message.disputeOpened,
  DISPUTE_ASSIGNED: message.disputeUnderReview,
  DISPUTE_RESOLVED: message.disputeResolved,
};

export function reportedType({ action }: NewAuditEntry): string | undefined {
  return reportedEvents[action]?.type;
}

export function auditFactOf(
  order: Pick<Order, 'id' | 'dispute'>,
  entry: NewAuditEntry,
  { actor, at }: Origin,
): message.AuditFact {
  return {
    action: entry.action,
    ...resourceOf(order, entry),
    actorType: actor.type,
    actorId: actor.id,
    result: entry.result ?? 'SUCCESS',
    reason: entry.reason ?? null,
    before: entry.before,
    after: entry.after,
    recordedAt: at,
  };
}

const disputeActions: ReadonlySet<string> = new Set([
  'DISPUTE_OPENED',
  'DISPUTE_ASSIGNED',
  'DISPUTE_COMMENTED',
  'DISPUTE_RESOLVED',
  'DISPUTE_RESOLVE_FAILED',
]);

function resourceOf({ id, dispute }: Pick<Order, 'id' | 'dispute'>, { action }: NewAuditEntry) {
  if (dispute === null || !disputeActions.has(action)) return { resourceType: 'Order', resourceId: id };
  return { resourceType: 'Dispute', resourceId: dispute.id, relatedIds: [id] };
}
