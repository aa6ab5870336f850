import type { Context } from '@holdfast/kernel/context';
import type { Envelope, escrowMilestoneSeen, Payload } from '@holdfast/contracts/messages';
import { milestoneSeen } from '../domain/milestones.js';
import { orderOfMessage } from './handle-reply.js';
import { applyChange } from './apply-change.js';
import { milestoneChange } from './milestone-change.js';
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
    const order = orderOfMessage(locked, orderId, ctx);
    if (order?.escrow?.id !== escrowId) return;
    const after = milestoneSeen(order, milestoneRef, ctx.at);
    if (after === order) return;
    applyChange(tx, order, milestoneChange(after, milestoneRef), originOfMessage(message, ctx, { activeRun: null }));
  });
}
