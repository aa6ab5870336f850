import type { Context } from '@holdfast/shared/context';
import type { Envelope, escrowRefunded, escrowReleased, Payload } from '@holdfast/shared/contracts/messages';
import { escrowPaidOut, isFunded } from '../domain/escrow.js';
import { orderOfMessage } from './answer.js';
import { commit } from './change.js';
import { originOfMessage } from './origin.js';
import type { Deps } from './ports.js';

type Released = Envelope<Payload<typeof escrowReleased>>;
type Refunded = Envelope<Payload<typeof escrowRefunded>>;

export function noteEscrowReleased(deps: Deps, message: Released, ctx: Context): Promise<void> {
  return notePaidOut(deps, message, { move: 'release', paidAt: message.payload.releasedAt }, ctx);
}

export function noteEscrowRefunded(deps: Deps, message: Refunded, ctx: Context): Promise<void> {
  return notePaidOut(deps, message, { move: 'refund', paidAt: message.payload.refundedAt }, ctx);
}

type PaidOut = { readonly move: 'release' | 'refund'; readonly paidAt: string };

/**
 * The contract has paid, the books not yet: the point of no return, whoever asked for it. The order is closed once the ledger
 * has told what it paid; where that came first there is nothing left to note.
 */
function notePaidOut(deps: Deps, message: Released | Refunded, { move, paidAt }: PaidOut, ctx: Context): Promise<void> {
  const { orderId, escrowId } = message.payload;
  return deps.hear(message, async (tx) => {
    const order = await orderOfMessage(tx, message, orderId, ctx);
    if (order?.escrow?.id !== escrowId || !isFunded(order.escrow)) return;
    const after = { ...order, escrow: escrowPaidOut(order.escrow, move, paidAt) };
    await commit(tx, order, { after, events: [], audits: [] }, originOfMessage(message, ctx, order));
  });
}
