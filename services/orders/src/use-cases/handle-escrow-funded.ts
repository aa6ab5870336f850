import type { Context } from '@holdfast/kernel/context';
import { orderEscrowFunded, orderInProgress, type Envelope, type escrowFunded, type Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { event } from '@holdfast/sagas';
import { escrowFunded as funded } from '../domain/escrow.js';
import { handleReply } from './handle-reply.js';
import { statusEntries } from './audit.js';
import { escrowFields } from './order-events.js';
import type { Deps } from './ports.js';

/**
 * Only a reply to the active run is handled. When a stranger funds the contract, the ledger has not deducted the buyer's
 * funds; once funding is requested here, the adapter finds the contract funded and replies.
 */
export function handleEscrowFunded(
  deps: Deps,
  message: Envelope<Payload<typeof escrowFunded>>,
  ctx: Context,
): Promise<Published<'order.escrow_funded' | 'order.in_progress'>> {
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
