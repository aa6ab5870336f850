import type { Context } from '@holdfast/kernel/context';
import type { balanceEscrowSettled, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { handleOrderMessage } from './handle-reply.js';
import type { Deps } from './ports.js';
import { requireFunded, settleWhenComplete, type SettlementEvent } from './settle-order.js';

/** The ledger has paid out. The order is closed once its contract has paid too. */
export function handleEscrowSettled(
  deps: Deps,
  message: Envelope<Payload<typeof balanceEscrowSettled>>,
  ctx: Context,
): Promise<Published<SettlementEvent>> {
  const { afterEventId } = message;
  const { orderId, fee, payouts } = message.payload;
  return handleOrderMessage(deps, { message, orderId }, ctx, (tx, order) => {
    if (order.status === 'CLOSED' || order.ledgerPayout !== null) return undefined;
    requireFunded(order);
    const ledgerPayout = { fee, payouts, ...(afterEventId === undefined ? {} : { afterEventId }) };
    return settleWhenComplete(tx, order, { ...order, ledgerPayout }, { message, ctx });
  });
}
