import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { escrowSettlementRequested, orderRefundRequested } from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { event } from '@holdfast/sagas';
import { startRefund } from '../domain/settlement.js';
import { statusEntries } from './audit.js';
import { startSaga } from './start-saga.js';
import type { Deps } from './ports.js';

export type RefundOrder = { readonly orderId: OrderId; readonly reason: string };

export function requestRefund(deps: Deps, { orderId, reason }: RefundOrder, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, orderId, ctx, ({ order }) => {
    const after = startRefund(order);
    return {
      after,
      events: [event(orderRefundRequested, { orderId, requestedBy: ctx.caller.id, requestedAt: ctx.at })],
      starts: { saga: 'refund', command: escrowSettlementRequested },
      auditEntries: statusEntries(order, [after.status], reason),
    };
  });
}
