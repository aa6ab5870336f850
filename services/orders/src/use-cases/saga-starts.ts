import { escrowFundingStarted, orderEscrowCreating } from '@holdfast/contracts/messages';
import type { EscrowId } from '@holdfast/kernel/ids';
import { formatMoney } from '@holdfast/kernel/money';
import { startEscrow, startFunding } from '../domain/escrow.js';
import { requireMove } from '../domain/move-order.js';
import type { Order } from '../domain/order.js';
import { event } from './apply-change.js';
import { statusEntries } from './audit.js';
import { escrowFields } from './order-events.js';
import type { SagaStart } from './start-run.js';

/** The order stays ORDER_CREATED until the ledger has replied. */
export function startOfReserve(order: Order): SagaStart {
  requireMove(order, 'reserve');
  return { after: order, events: [], auditEntries: [] };
}

export function startOfEscrow(order: Order, escrowId: EscrowId): SagaStart {
  const after = startEscrow(order, escrowId);
  const payload = { orderId: order.id, escrowId, amount: formatMoney(order.amount) };
  return { after, events: [event(orderEscrowCreating, payload)], auditEntries: statusEntries(order, [after.status]) };
}

/** The order keeps its status until the contract holds the funds; its escrow is FUNDING. */
export function startOfFunding(order: Order): SagaStart {
  const after = startFunding(order);
  const auditEntries = [
    {
      action: 'ESCROW_FUNDING_STARTED',
      before: { status: order.status, escrowStatus: order.escrow?.status ?? null },
      after: { status: after.status, escrowStatus: after.escrow.status },
    },
  ];
  return { after, events: [event(escrowFundingStarted, escrowFields(after))], auditEntries };
}

type CancelInput = { readonly reason?: string | undefined; readonly canceledBy?: string | undefined };

/** The ledger gets the command in every state, because funds may be reserved for the order over the balance routes. */
export function startOfCancel(order: Order, { reason, canceledBy }: CancelInput): SagaStart {
  requireMove(order, 'cancel');
  const given = { reason: reason ?? null, ...(canceledBy === undefined ? {} : { requestedBy: canceledBy }) };
  return { ...given, after: order, events: [], auditEntries: [] };
}
