import type { Context } from '@holdfast/kernel/context';
import type { OrderWithMilestoneRecord } from '@holdfast/contracts/http';
import type { OrderId } from '@holdfast/kernel/ids';
import { applyChange, originOfRequest, type Change } from '@holdfast/sagas';
import { milestoneOf } from '../domain/focus.js';
import type { Milestone, Order } from '../domain/order.js';
import { orderKind } from './order-kind.js';
import type { Deps, LockedOrder } from './ports.js';
import { recordWithMilestone } from './records.js';

export type OnMilestone = { readonly id: OrderId; readonly ref: string };

type Decision = {
  readonly decide: (locked: LockedOrder) => Change<Order>;
  /** Recognises the committed change, if the response to its COMMIT was lost. */
  readonly isDone: (milestone: Milestone) => boolean;
};

/** Commits a change of a milestone that starts no saga. */
export function changeMilestone(
  deps: Deps,
  { id, ref }: OnMilestone,
  ctx: Context,
  { decide, isDone }: Decision,
): Promise<OrderWithMilestoneRecord> {
  const whenCommitted = (order: Order) => {
    const milestone = milestoneOf(order, ref);
    return milestone !== undefined && isDone(milestone) ? recordWithMilestone(order, ref) : undefined;
  };
  return deps.onOrder({ marketplaceId: ctx.caller.marketplaceId, orderId: id, whenCommitted }, (tx, locked) => {
    const after = applyChange(tx, orderKind, locked.order, { change: decide(locked), origin: originOfRequest(ctx) });
    return recordWithMilestone(after, ref);
  });
}
