import type { Context } from '@holdfast/kernel/context';
import type { DisputeRecord } from '@holdfast/contracts/http';
import { disputeUnderReview } from '@holdfast/contracts/messages';
import type { DisputeId } from '@holdfast/kernel/ids';
import { applyChange, event, originOfRequest, type Change } from '@holdfast/sagas';
import { assignDispute as assigned } from '../domain/dispute.js';
import type { Dispute, Order } from '../domain/order.js';
import { orderKind } from './order-kind.js';
import { requireDispute } from './require-dispute.js';
import type { Deps } from './ports.js';
import { disputeRecordIn } from './records.js';

export type AssignDispute = { readonly id: DisputeId; readonly assignedTo: string };

export function assignDispute(deps: Deps, { id, assignedTo }: AssignDispute, ctx: Context): Promise<DisputeRecord> {
  const isAssigned = ({ dispute }: Order) => dispute?.status === 'UNDER_REVIEW' && dispute.assignedTo === assignedTo;
  const whenCommitted = (order: Order) => (isAssigned(order) ? disputeRecordIn(order) : undefined);
  return deps.onDispute({ marketplaceId: ctx.caller.marketplaceId, disputeId: id, whenCommitted }, (tx, { order }) => {
    const change = assignment(order, requireDispute(order, id), assignedTo, ctx);
    return disputeRecordIn(applyChange(tx, orderKind, order, { change, origin: originOfRequest(ctx) }));
  });
}

/** The change with its event and its audit entry. */
export function assignment(order: Order, dispute: Dispute, assignedTo: string, ctx: Context): Change<Order> {
  const after = { ...order, dispute: assigned(order, dispute, assignedTo) };
  const payload = { disputeId: dispute.id, orderId: order.id, reviewedBy: assignedTo, reviewStartedAt: ctx.at };
  const audit = {
    action: 'DISPUTE_ASSIGNED',
    before: { disputeStatus: dispute.status },
    after: { disputeStatus: after.dispute.status, assignedTo },
    reports: disputeUnderReview.type,
  };
  return { after, events: [event(disputeUnderReview, payload)], auditEntries: [audit] };
}
