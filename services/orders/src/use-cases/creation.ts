import type { Context } from '@holdfast/shared/context';
import type { Envelope } from '@holdfast/shared/contracts/messages';
import type { Order } from '../domain/order.js';
import { orderOfMessage } from './answer.js';
import { originOfMessage, type Origin } from './origin.js';
import type { Deps, Work } from './ports.js';

type OfEscrow = Envelope<{ readonly orderId: string; readonly escrowId: string }>;

/**
 * News of a deployment. Each attempt has an escrow id of its own, so that the id tells whether the news is about the attempt
 * under way, whoever brings it; news of another one changes nothing.
 */
export function noteCreation(
  deps: Deps,
  message: OfEscrow,
  ctx: Context,
  act: (tx: Work, order: Order, origin: Origin) => void,
): Promise<void> {
  const { orderId, escrowId } = message.payload;
  return deps.hear(message, orderId, (tx, held) => {
    const order = orderOfMessage(held, orderId, ctx);
    if (order === undefined) return;
    if (order.escrow?.id !== escrowId || order.escrow.status !== 'CREATING') {
      ctx.log.warn({ orderId, escrowId, status: order.status }, 'news came of a deployment that is over');
      return;
    }
    act(tx, order, originOfMessage(message, ctx, order));
  });
}
