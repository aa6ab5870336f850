import type { Context } from '@holdfast/shared/context';
import type { balanceEscrowSettled, Envelope, Payload } from '@holdfast/shared/contracts/messages';
import { orderOfMessage } from './answer.js';
import type { Deps } from './ports.js';
import { demandFunded, settleWhenComplete } from './settle-order.js';

/** The books are paid out: the order ends, as soon as it has heard from its contract too. */
export function noteEscrowSettled(
  deps: Deps,
  message: Envelope<Payload<typeof balanceEscrowSettled>>,
  ctx: Context,
): Promise<void> {
  const { afterEventId } = message;
  const { orderId, fee, payouts } = message.payload;
  return deps.hear(message, orderId, (tx, held) => {
    const order = orderOfMessage(held, orderId, ctx);
    if (order === undefined || order.status === 'CLOSED' || order.booked !== null) return;
    demandFunded(order);
    const booked = { fee, payouts, ...(afterEventId === undefined ? {} : { afterEventId }) };
    settleWhenComplete(tx, order, { ...order, booked }, { message, ctx });
  });
}
