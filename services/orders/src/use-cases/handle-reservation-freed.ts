import type { Context } from '@holdfast/kernel/context';
import { orderCanceled, type balanceReservationFreed, type Envelope, type Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { parseMoney } from '@holdfast/kernel/money';
import { event } from '@holdfast/sagas';
import { closed, moveOrder } from '../domain/move-order.js';
import type { Order } from '../domain/order.js';
import { handleReply } from './handle-reply.js';
import { closedEvent } from './order-events.js';
import type { Deps } from './ports.js';

/** The order holds no funds any more, so it can be closed. */
export function handleReservationFreed(
  deps: Deps,
  message: Envelope<Payload<typeof balanceReservationFreed>>,
  ctx: Context,
): Promise<Published<'order.canceled' | 'order.closed'>> {
  const { orderId, amount, currency } = message.payload;
  return handleReply(deps, { message, orderId }, ctx, (order) => {
    const after = closed(moveOrder(order, 'cancel'), 'CANCELED');
    const reason = order.activeRun?.reason ?? null;
    const payload = {
      ...canceledFields(order),
      ...(reason === null ? {} : { reason }),
      canceledAt: ctx.at,
      fundsReleased: parseMoney(amount, currency).units > 0n,
    };
    const audit = {
      action: 'ORDER_CANCELED',
      reason,
      before: { status: order.status },
      after: { status: after.status },
      reports: orderCanceled.type,
    };
    return { after, events: [event(orderCanceled, payload), ...closedEvent(after, ctx.at)], auditEntries: [audit] };
  });
}

function canceledFields({ id, buyerId, activeRun }: Order) {
  return { orderId: id, buyerId, canceledBy: activeRun?.requestedBy ?? '' };
}
