import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { escrowFundingStarted } from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { startFunding } from '../domain/escrow.js';
import { requireActiveParties } from '../domain/parties.js';
import { event } from './apply-change.js';
import { escrowFields } from './order-events.js';
import { startSaga } from './start-saga.js';
import type { Deps } from './ports.js';

/** The order keeps its status until the contract holds the funds; its escrow is FUNDING. */
export function requestFunding(deps: Deps, { id }: { readonly id: OrderId }, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, { saga: 'fund', orderId: id }, ctx, ({ order, parties }) => {
    const after = startFunding(order);
    requireActiveParties(parties);
    const auditEntries = [
      {
        action: 'ESCROW_FUNDING_STARTED',
        before: { status: order.status, escrowStatus: order.escrow?.status ?? null },
        after: { status: after.status, escrowStatus: after.escrow.status },
      },
    ];
    return { after, events: [event(escrowFundingStarted, escrowFields(after))], auditEntries };
  });
}
