import type { Context } from '@holdfast/shared/context';
import type { Envelope, escrowRefunded, escrowReleased, Payload } from '@holdfast/shared/contracts/messages';
import { escrowPaidOut, isPaidOut } from '../domain/escrow.js';
import { orderOfMessage } from './answer.js';
import type { Deps } from './ports.js';
import { demandFunded, settleWhenComplete } from './settle-order.js';

type Released = Envelope<Payload<typeof escrowReleased>>;
type Refunded = Envelope<Payload<typeof escrowRefunded>>;

export function noteEscrowReleased(deps: Deps, message: Released, ctx: Context): Promise<void> {
  return notePaidOut(deps, message, { move: 'release', paidAt: message.payload.releasedAt }, ctx);
}

export function noteEscrowRefunded(deps: Deps, message: Refunded, ctx: Context): Promise<void> {
  return notePaidOut(deps, message, { move: 'refund', paidAt: message.payload.refundedAt }, ctx);
}

type PaidOut = { readonly move: 'release' | 'refund'; readonly paidAt: string };

/** The contract has paid: the point of no return, whoever asked for it. The order ends once the books have paid too. */
function notePaidOut(deps: Deps, message: Released | Refunded, { move, paidAt }: PaidOut, ctx: Context): Promise<void> {
  const { orderId, escrowId } = message.payload;
  return deps.hear(message, orderId, (tx, held) => {
    const order = orderOfMessage(held, orderId, ctx);
    if (order?.escrow?.id !== escrowId || isPaidOut(order.escrow)) return;
    demandFunded(order);
    const known = { ...order, escrow: escrowPaidOut(order.escrow, move, paidAt) };
    settleWhenComplete(tx, order, known, { message, ctx });
  });
}
