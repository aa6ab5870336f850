import type { Context } from '@holdfast/kernel/context';
import type { Envelope, escrowDisputeSeen, Payload } from '@holdfast/contracts/messages';
import { applyChange } from '@holdfast/sagas';
import { moveEscrow } from '../domain/escrow.js';
import { orderOfMessage } from './handle-reply.js';
import { orderKind } from './order-kind.js';
import { originOfMessage } from './origin.js';
import type { Deps } from './ports.js';

/** The contract is disputed on the ledger network. The order becomes DISPUTED only when a dispute is opened over the API. */
export function handleDisputeSeen(deps: Deps, message: Envelope<Payload<typeof escrowDisputeSeen>>, ctx: Context): Promise<void> {
  const { orderId, escrowId } = message.payload;
  return deps.onMessage(message, orderId, (tx, locked) => {
    const order = orderOfMessage(locked, { message, orderId }, ctx);
    if (order?.escrow?.id !== escrowId || order.escrow.status !== 'FUNDED') return;
    // The escrow of an order that is paid milestone by milestone stays FUNDED; a disputed milestone can still be paid out.
    if (order.releaseMode === 'milestone') return;
    const escrow = moveEscrow(order.escrow, 'dispute');
    const audit = { action: 'ESCROW_DISPUTED', before: { escrowStatus: 'FUNDED' }, after: { escrowStatus: escrow.status } };
    const change = { after: { ...order, escrow }, events: [], auditEntries: [audit] };
    applyChange(tx, orderKind, order, { change, origin: originOfMessage(message, ctx, { activeRun: null }) });
  });
}
