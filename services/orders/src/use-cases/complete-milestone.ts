import type { Context } from '@holdfast/kernel/context';
import type { OrderWithMilestoneRecord } from '@holdfast/contracts/http';
import type { OrderId } from '@holdfast/kernel/ids';
import { completeMilestone as completed, milestoneOf } from '../domain/milestones.js';
import type { Order } from '../domain/order.js';
import { applyChange } from './apply-change.js';
import { requireOrder } from './require-order.js';
import { milestoneChange } from './milestone-change.js';
import { originOfRequest } from './origin.js';
import type { Deps } from './ports.js';
import { recordWithMilestone } from './records.js';

export type CompleteMilestone = { readonly id: OrderId; readonly ref: string };

export function completeMilestone(deps: Deps, { id, ref }: CompleteMilestone, ctx: Context): Promise<OrderWithMilestoneRecord> {
  // The time of the request distinguishes its own completion from that of a concurrent request.
  const isCompletedNow = (order: Order) => milestoneOf(order, ref)?.completedAt === ctx.at;
  const whenCommitted = (order: Order) => (isCompletedNow(order) ? recordWithMilestone(order, ref) : undefined);
  return deps.onOrder({ marketplaceId: ctx.caller.marketplaceId, orderId: id, whenCommitted }, (tx, locked) => {
    const { order } = requireOrder(locked, id);
    const after = completed(order, ref, ctx.at);
    return recordWithMilestone(applyChange(tx, order, milestoneChange(after, ref), originOfRequest(ctx)), ref);
  });
}
