import type { Context } from '@holdfast/shared/context';
import type { OrderRecord } from '@holdfast/shared/contracts/http';
import { orderEscrowCreating } from '@holdfast/shared/contracts/messages';
import type { OrderId } from '@holdfast/shared/ids';
import { formatMoney } from '@holdfast/shared/money';
import { startEscrow, requireEscrowCreation } from '../domain/escrow.js';
import { statusEntries } from './audit.js';
import { event } from './change.js';
import { startSaga } from './operation.js';
import type { Deps } from './ports.js';

export function requestEscrow(deps: Deps, { id }: { readonly id: OrderId }, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, { saga: 'create-escrow', orderId: id }, ctx, ({ order, parties }) => {
    requireEscrowCreation(order, parties);
    const after = startEscrow(order, deps.newId('esc'));
    const payload = { orderId: id, escrowId: after.escrow.id, amount: formatMoney(order.amount) };
    return { after, events: [event(orderEscrowCreating, payload)], auditEntries: statusEntries(order, [after.status]) };
  });
}
