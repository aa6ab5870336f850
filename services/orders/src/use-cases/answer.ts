import type { Context } from '@holdfast/shared/context';
import type { Envelope } from '@holdfast/shared/contracts/messages';
import type { Order } from '../domain/order.js';
import type { Change } from './change.js';
import { end, type Failure } from './operation.js';
import { originOfMessage } from './origin.js';
import type { Deps, Held } from './ports.js';

type Answer = { readonly message: Envelope; readonly orderId: string };

/**
 * An answer that ends the operation under way. One that belongs to a run which is over, or was never begun here, changes
 * nothing: whatever it tells of has been dealt with by what ended that run. So does one for which `decide` has nothing.
 */
export function noteAnswer(
  deps: Deps,
  { message, orderId }: Answer,
  ctx: Context,
  decide: (order: Order) => (Change & { readonly failure?: Failure }) | undefined,
): Promise<void> {
  return deps.hear(message, orderId, (tx, held) => {
    const order = orderOfMessage(held, orderId, ctx);
    if (order === undefined) return;
    const { operation } = order;
    const isForUs = operation !== null && operation.runId === message.sagaRunId && operation.saga === message.saga;
    const ending = isForUs ? decide(order) : undefined;
    if (ending === undefined) {
      ctx.log.warn({ orderId, sagaRunId: message.sagaRunId, status: order.status }, 'an answer came that nothing waits for');
      return;
    }
    const after = end(tx, order, ending, originOfMessage(message, ctx, order));
    logEnd(ctx, order, after);
  });
}

/** Undefined where there is no such order here: the message is about something else. */
export function orderOfMessage(held: Held | undefined, orderId: string, ctx: Context): Order | undefined {
  if (held === undefined) ctx.log.warn({ orderId }, 'a message came about an order that is not here');
  return held?.order;
}

export function logEnd(ctx: Context, before: Order, after: Order): void {
  const { id: orderId, operation, status } = before;
  ctx.log.info({ orderId, saga: operation?.saga, from: status, to: after.status }, 'operation ended');
}
