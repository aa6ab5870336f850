import type { Context } from '@holdfast/kernel/context';
import type { balanceEscrowSettled, Envelope, Payload } from '@holdfast/contracts/messages';
import { orderOfMessage } from './handle-reply.js';
import type { Deps } from './ports.js';
import { requireFunded, settleWhenComplete } from './settle-order.js';

/** The ledger has paid out. The order is closed once its contract has paid too. */
export function handleEscrowSettled(
  deps: Deps,
  message: Envelope<Payload<typeof balanceEscrowSettled>>,
  ctx: Context,
): Promise<void> {
  const { afterEventId } = message;
  const { orderId, fee, payouts } = message.payload;
  return deps.onMessage(message, orderId, (tx, locked) => {
    const order = orderOfMessage(locked, orderId, ctx);
    if (order === undefined || order.status === 'CLOSED' || order.ledgerPayout !== null) return;
    requireFunded(order);
    const ledgerPayout = { fee, payouts, ...(afterEventId === undefined ? {} : { afterEventId }) };
    settleWhenComplete(tx, order, { ...order, ledgerPayout }, { message, ctx });
  });
}
