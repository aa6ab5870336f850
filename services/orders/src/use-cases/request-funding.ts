import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { escrowFundingStarted, orderFundRequested } from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { event } from '@holdfast/sagas';
import { startFunding } from '../domain/escrow.js';
import type { Order } from '../domain/order.js';
import { requireActiveParties } from '../domain/parties.js';
import { escrowFields } from './order-events.js';
import type { Deps } from './ports.js';
import { startSaga, type SagaStart } from './start-saga.js';

export function requestFunding(deps: Deps, { id }: { readonly id: OrderId }, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, id, ctx, ({ order, parties }) => {
    const start = fundingStart(order);
    requireActiveParties(parties);
    return start;
  });
}

/** The order keeps its status until the contract holds the funds; its escrow is FUNDING. */
export function fundingStart(order: Order): SagaStart {
  const after = startFunding(order);
  const entry = {
    action: 'ESCROW_FUNDING_STARTED',
    before: { status: order.status, escrowStatus: order.escrow?.status ?? null },
    after: { status: after.status, escrowStatus: after.escrow.status },
    reports: escrowFundingStarted.type,
  };
  return {
    after,
    events: [event(escrowFundingStarted, escrowFields(after))],
    starts: { saga: 'fund', command: orderFundRequested },
    auditEntries: [entry],
  };
}
