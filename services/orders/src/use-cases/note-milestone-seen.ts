import type { Context } from '@holdfast/shared/context';
import type { Envelope, escrowMilestoneSeen, Payload } from '@holdfast/shared/contracts/messages';
import { milestoneSeen } from '../domain/milestones.js';
import { orderOfMessage } from './answer.js';
import { commit } from './change.js';
import { milestoneChange } from './milestone-change.js';
import { originOfMessage } from './origin.js';
import type { Deps } from './ports.js';

/** Completed on the ledger network: a fact, whatever the order is doing. */
export function noteMilestoneSeen(
  deps: Deps,
  message: Envelope<Payload<typeof escrowMilestoneSeen>>,
  ctx: Context,
): Promise<void> {
  const { orderId, escrowId, milestoneRef } = message.payload;
  return deps.hear(message, orderId, (tx, held) => {
    const order = orderOfMessage(held, orderId, ctx);
    if (order?.escrow?.id !== escrowId) return;
    const after = milestoneSeen(order, milestoneRef, ctx.at);
    if (after === order) return;
    commit(tx, order, milestoneChange(after, milestoneRef), originOfMessage(message, ctx, { operation: null }));
  });
}
