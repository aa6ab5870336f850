import type { Context } from '@holdfast/kernel/context';
import type { Envelope, escrowRefunded, escrowReleased, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { escrowPaidOut, isPaidOut } from '../domain/escrow.js';
import { handleOrderMessage } from './handle-reply.js';
import type { Deps } from './ports.js';
import { requireFunded, settleWhenComplete, type SettlementEvent } from './settle-order.js';

type Released = Envelope<Payload<typeof escrowReleased>>;
type Refunded = Envelope<Payload<typeof escrowRefunded>>;

export function handleEscrowReleased(deps: Deps, message: Released, ctx: Context): Promise<Published<SettlementEvent>> {
  return handlePaidOut(deps, message, { move: 'release', paidAt: message.payload.releasedAt }, ctx);
}

export function handleEscrowRefunded(deps: Deps, message: Refunded, ctx: Context): Promise<Published<SettlementEvent>> {
  return handlePaidOut(deps, message, { move: 'refund', paidAt: message.payload.refundedAt }, ctx);
}

type PaidOut = { readonly move: 'release' | 'refund'; readonly paidAt: string };

/**
 * The contract has paid: the point of no return, with or without an active run. The order is closed once the ledger has paid too.
 */
function handlePaidOut(
  deps: Deps,
  message: Released | Refunded,
  { move, paidAt }: PaidOut,
  ctx: Context,
): Promise<Published<SettlementEvent>> {
  const { orderId, escrowId } = message.payload;
  return handleOrderMessage(deps, { message, orderId }, ctx, (tx, order) => {
    if (order.escrow?.id !== escrowId || isPaidOut(order.escrow)) return undefined;
    requireFunded(order);
    // An order with milestones that were released before is RELEASED in the end, whichever party got the rest.
    const isEverReleased = order.milestones.some(({ released }) => released.units > 0n);
    const updated = { ...order, escrow: escrowPaidOut(order.escrow, isEverReleased ? 'release' : move, paidAt) };
    return settleWhenComplete(tx, order, updated, { message, ctx });
  });
}
