import type { Context } from '@holdfast/kernel/context';
import { orderEscrowFunded, orderInProgress, type Envelope, type escrowFunded, type Payload } from '@holdfast/contracts/messages';
import { escrowFunded as funded } from '../domain/escrow.js';
import { handleReply } from './handle-reply.js';
import { statusEntries } from './audit.js';
import { event } from './apply-change.js';
import { escrowFields } from './order-events.js';
import type { Deps } from './ports.js';

/**
 * Only the answer to our own ask counts. A contract that somebody else has funded is not paid for in the books; when funding
 * is asked for here, the adapter finds it funded and says so.
 */
export function handleEscrowFunded(deps: Deps, message: Envelope<Payload<typeof escrowFunded>>, ctx: Context): Promise<void> {
  const { orderId, fundedAt } = message.payload;
  return handleReply(deps, { message, orderId }, ctx, (order) => {
    const after = funded(order, fundedAt);
    const events = [
      event(orderEscrowFunded, { ...escrowFields(after), fundedAt }),
      event(orderInProgress, { orderId: order.id, escrowId: after.escrow.id }),
    ];
    return { after, events, auditEntries: statusEntries(order, [after.status]) };
  });
}
