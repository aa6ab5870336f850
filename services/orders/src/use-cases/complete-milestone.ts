import type { Context } from '@holdfast/kernel/context';
import type { OrderWithMilestoneRecord } from '@holdfast/contracts/http';
import type { OrderId } from '@holdfast/kernel/ids';
import { applyChange, originOfRequest } from '@holdfast/sagas';
import { completeMilestone as completed, milestoneOf } from '../domain/milestones.js';
import type { Order } from '../domain/order.js';
import { orderKind } from './order-kind.js';
import { milestoneChange } from './milestone-change.js';
import type { Deps } from './ports.js';
import { recordWithMilestone } from './records.js';

export type CompleteMilestone = { readonly id: OrderId; readonly ref: string };

export function completeMilestone(deps: Deps, { id, ref }: CompleteMilestone, ctx: Context): Promise<OrderWithMilestoneRecord> {
  // The time of the request distinguishes its own completion from that of a concurrent request.
  const isCompletedNow = (order: Order) => milestoneOf(order, ref)?.completedAt === ctx.at;
  const whenCommitted = (order: Order) => (isCompletedNow(order) ? recordWithMilestone(order, ref) : undefined);
  return deps.onOrder({ marketplaceId: ctx.caller.marketplaceId, orderId: id, whenCommitted }, (tx, { order }) => {
    const after = completed(order, ref, ctx.at);
    const change = milestoneChange(after, ref);
    return recordWithMilestone(applyChange(tx, orderKind, order, { change, origin: originOfRequest(ctx) }), ref);
  });
}
