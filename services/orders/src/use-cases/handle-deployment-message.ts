import type { Context } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import type { Origin } from '@holdfast/sagas';
import type { Order } from '../domain/order.js';
import { handleOrderMessage } from './handle-reply.js';
import { originOfMessage } from './origin.js';
import type { Deps, UnitOfWork } from './ports.js';

type EscrowMessage = Envelope<{ readonly orderId: string; readonly escrowId: string }>;

/**
 * Handles a message about a deployment. Each attempt has its own escrow id, so the escrow id decides whether the message is about
 * the current attempt; the message need not be a reply of the active run. A message about an earlier attempt is ignored.
 */
export function handleDeploymentMessage<EventType extends string = never>(
  deps: Deps,
  message: EscrowMessage,
  ctx: Context,
  handle: (tx: UnitOfWork, order: Order, origin: Origin) => Published<EventType> | undefined,
): Promise<Published<EventType>> {
  const { orderId, escrowId } = message.payload;
  return handleOrderMessage(deps, { message, orderId }, ctx, (tx, order) => {
    if (order.escrow?.id !== escrowId || order.escrow.status !== 'CREATING') {
      ctx.log.warn({ orderId, escrowId, status: order.status }, 'ignored a message about an earlier deployment attempt');
      return undefined;
    }
    return handle(tx, order, originOfMessage(message, ctx, order));
  });
}
