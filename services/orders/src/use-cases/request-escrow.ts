import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { orderEscrowCreating } from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { formatMoney } from '@holdfast/kernel/money';
import { startEscrow, requireEscrowCreation } from '../domain/escrow.js';
import { statusEntries } from './audit.js';
import { event } from './apply-change.js';
import { startSaga } from './start-saga.js';
import type { Deps } from './ports.js';

export function requestEscrow(deps: Deps, { id }: { readonly id: OrderId }, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, { saga: 'create-escrow', orderId: id }, ctx, ({ order, parties }) => {
    requireEscrowCreation(order, parties);
    const after = startEscrow(order, deps.newId('esc'));
    const payload = { orderId: id, escrowId: after.escrow.id, amount: formatMoney(order.amount) };
    return { after, events: [event(orderEscrowCreating, payload)], auditEntries: statusEntries(order, [after.status]) };
  });
}
