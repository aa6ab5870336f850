import type { Context } from '@holdfast/shared/context';
import type { OrderRecord } from '@holdfast/shared/contracts/http';
import { orderRefundRequested } from '@holdfast/shared/contracts/messages';
import type { OrderId } from '@holdfast/shared/ids';
import { beginRefund } from '../domain/settling.js';
import { entered } from './audit.js';
import { event } from './change.js';
import { operate } from './operation.js';
import type { Deps } from './ports.js';

export type RefundOrder = { readonly orderId: OrderId; readonly reason: string };

export function requestRefund(deps: Deps, { orderId, reason }: RefundOrder, ctx: Context): Promise<OrderRecord> {
  return operate(deps, { saga: 'refund', orderId }, ctx, ({ order }) => {
    const after = beginRefund(order);
    const told = { orderId, requestedBy: ctx.caller.id, requestedAt: ctx.at };
    return { after, events: [event(orderRefundRequested, told)], audits: entered(order, [after.status], reason) };
  });
}
