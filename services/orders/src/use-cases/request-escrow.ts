import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { escrowDeployRequested, orderEscrowCreating } from '@holdfast/contracts/messages';
import type { EscrowId, OrderId } from '@holdfast/kernel/ids';
import { formatMoney } from '@holdfast/kernel/money';
import { event } from '@holdfast/sagas';
import { requireEscrowCreation, startEscrow } from '../domain/escrow.js';
import type { Order } from '../domain/order.js';
import { statusEntries } from './audit.js';
import type { Deps } from './ports.js';
import { startSaga, type SagaStart } from './start-saga.js';

export function requestEscrow(deps: Deps, { id }: { readonly id: OrderId }, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, id, ctx, ({ order, parties }) => {
    requireEscrowCreation(order, parties);
    return escrowStart(order, deps.newId('esc'));
  });
}

export function escrowStart(order: Order, escrowId: EscrowId): SagaStart {
  const after = startEscrow(order, escrowId);
  return {
    after,
    events: [event(orderEscrowCreating, { orderId: order.id, escrowId, amount: formatMoney(order.amount) })],
    starts: { saga: 'create-escrow', command: escrowDeployRequested },
    auditEntries: statusEntries(order, [after.status]),
  };
}
