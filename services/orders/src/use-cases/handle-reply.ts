import type { Context } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';
import { published, type Published } from '@holdfast/contracts/sagas';
import { isReplyToActiveRun, type RunEnd } from '@holdfast/sagas';
import { focusOnRun } from '../domain/focus.js';
import type { Order } from '../domain/order.js';
import { endRun, logRunEnded } from './end-run.js';
import { originOfMessage } from './origin.js';
import type { Deps, LockedOrder, UnitOfWork } from './ports.js';

type OrderMessage = { readonly message: Envelope; readonly orderId: string };

/**
 * Handles a reply that ends the active run of its order. A reply to any other run is ignored, because the message that ended that
 * run has already decided the order. A reply for which `decide` returns undefined is ignored too.
 */
export function handleReply<EventType extends string = never>(
  deps: Deps,
  reply: OrderMessage,
  ctx: Context,
  decide: (order: Order) => RunEnd<Order, EventType> | undefined,
): Promise<Published<EventType>> {
  const { message, orderId } = reply;
  return handleOrderMessage(deps, reply, ctx, (tx, order) => {
    const runEnd = isReplyToActiveRun(message, order) ? decide(order) : undefined;
    if (runEnd === undefined) {
      ctx.log.warn(
        { orderId, sagaRunId: message.sagaRunId, status: order.status },
        'ignored a reply: its saga run is not active',
      );
      return undefined;
    }
    const ended = endRun(tx, order, runEnd, originOfMessage(message, ctx, order));
    logRunEnded(ctx, order, ended.order);
    return ended;
  });
}

/** Commits what `handle` does with the locked order of a message, and publishes. An unknown order is ignored. */
export async function handleOrderMessage<EventType extends string = never>(
  deps: Deps,
  { message, orderId }: OrderMessage,
  ctx: Context,
  handle: (tx: UnitOfWork, order: Order) => Published<EventType> | undefined,
): Promise<Published<EventType>> {
  await deps.onMessage(message, orderId, (tx, locked) => {
    const order = orderOfMessage(locked, { message, orderId }, ctx);
    if (order !== undefined) handle(tx, order);
  });
  return published;
}

/** Focused on the milestone whose run the message belongs to, if there is one. Undefined if the order does not exist. */
export function orderOfMessage(
  locked: LockedOrder | undefined,
  { message, orderId }: OrderMessage,
  ctx: Context,
): Order | undefined {
  if (locked === undefined) ctx.log.warn({ orderId }, 'ignored a message about an unknown order');
  return locked === undefined ? undefined : focusOnRun(locked.order, message.sagaRunId);
}
