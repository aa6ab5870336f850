import type { Context } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';
import { isReplyToActiveRun, type RunEnd } from '@holdfast/sagas';
import type { Order } from '../domain/order.js';
import { endRun, logRunEnded } from './end-run.js';
import { originOfMessage } from './origin.js';
import type { Deps, LockedOrder } from './ports.js';

type SagaReply = { readonly message: Envelope; readonly orderId: string };

/**
 * Handles a reply that ends the active run of its order. A reply to any other run is ignored, because the message that ended that
 * run has already decided the order. A reply for which `decide` returns undefined is ignored too.
 */
export function handleReply(
  deps: Deps,
  { message, orderId }: SagaReply,
  ctx: Context,
  decide: (order: Order) => RunEnd<Order> | undefined,
): Promise<void> {
  return deps.onMessage(message, orderId, (tx, locked) => {
    const order = orderOfMessage(locked, orderId, ctx);
    if (order === undefined) return;
    const runEnd = isReplyToActiveRun(message, order) ? decide(order) : undefined;
    if (runEnd === undefined) {
      ctx.log.warn(
        { orderId, sagaRunId: message.sagaRunId, status: order.status },
        'ignored a reply: its saga run is not active',
      );
      return;
    }
    const after = endRun(tx, order, runEnd, originOfMessage(message, ctx, order));
    logRunEnded(ctx, order, after);
  });
}

/** Undefined if the order does not exist. */
export function orderOfMessage(locked: LockedOrder | undefined, orderId: string, ctx: Context): Order | undefined {
  if (locked === undefined) ctx.log.warn({ orderId }, 'ignored a message about an unknown order');
  return locked?.order;
}
