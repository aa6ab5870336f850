import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { orderRefundRequested } from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { startRefund } from '../domain/settlement.js';
import { statusEntries } from './audit.js';
import { event } from './apply-change.js';
import { startSaga } from './start-saga.js';
import type { Deps } from './ports.js';

export type RefundOrder = { readonly orderId: OrderId; readonly reason: string };

export function requestRefund(deps: Deps, { orderId, reason }: RefundOrder, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, { saga: 'refund', orderId }, ctx, ({ order }) => {
    const after = startRefund(order);
    const payload = { orderId, requestedBy: ctx.caller.id, requestedAt: ctx.at };
    return { after, events: [event(orderRefundRequested, payload)], auditEntries: statusEntries(order, [after.status], reason) };
  });
}
