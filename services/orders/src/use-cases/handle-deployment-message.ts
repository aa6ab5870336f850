import type { Context } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';
import type { Order } from '../domain/order.js';
import { orderOfMessage } from './handle-reply.js';
import { originOfMessage, type Origin } from './origin.js';
import type { Deps, UnitOfWork } from './ports.js';

type EscrowMessage = Envelope<{ readonly orderId: string; readonly escrowId: string }>;

/**
 * News of a deployment. Each attempt has an escrow id of its own, so that the id tells whether the news is about the attempt
 * under way, whoever brings it; news of another one changes nothing.
 */
export function handleDeploymentMessage(
  deps: Deps,
  message: EscrowMessage,
  ctx: Context,
  handle: (tx: UnitOfWork, order: Order, origin: Origin) => void,
): Promise<void> {
  const { orderId, escrowId } = message.payload;
  return deps.onMessage(message, orderId, (tx, locked) => {
    const order = orderOfMessage(locked, orderId, ctx);
    if (order === undefined) return;
    if (order.escrow?.id !== escrowId || order.escrow.status !== 'CREATING') {
      ctx.log.warn({ orderId, escrowId, status: order.status }, 'ignored a message about an earlier deployment attempt');
      return;
    }
    handle(tx, order, originOfMessage(message, ctx, order));
  });
}
