import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { escrowSettlementRequested, orderRefundRequested } from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { event } from '@holdfast/sagas';
import type { Order } from '../domain/order.js';
import { startRefund } from '../domain/settlement.js';
import { statusEntries } from './audit.js';
import { startSaga, type SagaStart } from './start-saga.js';
import type { Deps } from './ports.js';

export type RefundOrder = { readonly orderId: OrderId; readonly reason: string };

export function requestRefund(deps: Deps, { orderId, reason }: RefundOrder, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, orderId, ctx, ({ order }) => refundStart(order, { reason }, ctx));
}

export type RefundStart = { readonly reason: string; readonly cause?: 'not_delivered' };

export function refundStart(order: Order, { reason, cause }: RefundStart, ctx: Context): SagaStart<'refund'> {
  const after = startRefund(order);
  const caused = cause === undefined ? {} : { cause };
  return {
    after,
    events: [event(orderRefundRequested, { orderId: order.id, requestedBy: ctx.caller.id, requestedAt: ctx.at, ...caused })],
    starts: { saga: 'refund', command: escrowSettlementRequested },
    auditEntries: statusEntries(order, [after.status], reason),
    ...caused,
  };
}
