import type { Context } from '@holdfast/shared/context';
import type { Envelope, escrowDisputeSeen, Payload } from '@holdfast/shared/contracts/messages';
import { moveEscrow } from '../domain/escrow.js';
import { orderOfMessage } from './answer.js';
import { applyChange } from './change.js';
import { originOfMessage } from './origin.js';
import type { Deps } from './ports.js';

/** The contract is disputed on the ledger network. The order itself is disputed only when somebody opens a dispute here. */
export function handleDisputeSeen(deps: Deps, message: Envelope<Payload<typeof escrowDisputeSeen>>, ctx: Context): Promise<void> {
  const { orderId, escrowId } = message.payload;
  return deps.onMessage(message, orderId, (tx, locked) => {
    const order = orderOfMessage(locked, orderId, ctx);
    if (order?.escrow?.id !== escrowId || order.escrow.status !== 'FUNDED') return;
    const escrow = moveEscrow(order.escrow, 'dispute');
    const audit = { action: 'ESCROW_DISPUTED', before: { escrowStatus: 'FUNDED' }, after: { escrowStatus: escrow.status } };
    const change = { after: { ...order, escrow }, events: [], auditEntries: [audit] };
    applyChange(tx, order, change, originOfMessage(message, ctx, { activeRun: null }));
  });
}
