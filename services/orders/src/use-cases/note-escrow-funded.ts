import type { Context } from '@holdfast/shared/context';
import {
  orderEscrowFunded,
  orderInProgress,
  type Envelope,
  type escrowFunded,
  type Payload,
} from '@holdfast/shared/contracts/messages';
import { escrowFunded as funded } from '../domain/escrow.js';
import { noteAnswer } from './answer.js';
import { entered } from './audit.js';
import { event } from './change.js';
import { escrowFacts } from './order-events.js';
import type { Deps } from './ports.js';

/**
 * Only the answer to our own ask counts. A contract that somebody else has funded is not paid for in the books; when funding
 * is asked for here, the adapter finds it funded and says so.
 */
export function noteEscrowFunded(deps: Deps, message: Envelope<Payload<typeof escrowFunded>>, ctx: Context): Promise<void> {
  const { orderId, fundedAt } = message.payload;
  return noteAnswer(deps, { message, orderId }, ctx, (order) => {
    const after = funded(order, fundedAt);
    const events = [
      event(orderEscrowFunded, { ...escrowFacts(after), fundedAt }),
      event(orderInProgress, { orderId: order.id, escrowId: after.escrow.id }),
    ];
    return { after, events, audits: entered(order, [after.status]) };
  });
}
