import type { Context } from '@holdfast/kernel/context';
import type { Envelope, escrowMilestoneSeen, Payload } from '@holdfast/contracts/messages';
import { applyChange } from '@holdfast/sagas';
import { milestoneSeen } from '../domain/milestones.js';
import { orderOfMessage } from './handle-reply.js';
import { milestoneChange } from './milestone-change.js';
import { orderKind } from './order-kind.js';
import { originOfMessage } from './origin.js';
import type { Deps } from './ports.js';

/** The milestone was completed on the ledger network. This is recorded in every open state of the order, even during a saga. */
export function handleMilestoneSeen(
  deps: Deps,
  message: Envelope<Payload<typeof escrowMilestoneSeen>>,
  ctx: Context,
): Promise<void> {
  const { orderId, escrowId, milestoneRef } = message.payload;
  return deps.onMessage(message, orderId, (tx, locked) => {
    const order = orderOfMessage(locked, { message, orderId }, ctx);
    if (order?.escrow?.id !== escrowId) return;
    const after = milestoneSeen(order, milestoneRef, ctx.at);
    if (after === order) return;
    const change = milestoneChange(order, after, milestoneRef);
    applyChange(tx, orderKind, order, { change, origin: originOfMessage(message, ctx, { activeRun: null }) });
  });
}
