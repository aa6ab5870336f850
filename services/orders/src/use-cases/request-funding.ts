import type { Context } from '@holdfast/shared/context';
import type { OrderRecord } from '@holdfast/shared/contracts/http';
import { escrowFundingStarted } from '@holdfast/shared/contracts/messages';
import type { OrderId } from '@holdfast/shared/ids';
import { startFunding } from '../domain/escrow.js';
import { event } from './change.js';
import { escrowFields } from './order-events.js';
import { startSaga } from './operation.js';
import type { Deps } from './ports.js';

/** The order stays where it is until the contract holds the funds; its escrow is FUNDING. */
export function requestFunding(deps: Deps, { id }: { readonly id: OrderId }, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, { saga: 'fund', orderId: id }, ctx, ({ order }) => {
    const after = startFunding(order);
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
