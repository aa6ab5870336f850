import type { Context } from '@holdfast/shared/context';
import type { OrderRecord } from '@holdfast/shared/contracts/http';
import { orderEscrowCreating } from '@holdfast/shared/contracts/messages';
import type { OrderId } from '@holdfast/shared/ids';
import { formatMoney } from '@holdfast/shared/money';
import { beginEscrow, demandEscrowCreation } from '../domain/escrow.js';
import { entered } from './audit.js';
import { event } from './change.js';
import { operate } from './operation.js';
import type { Deps } from './ports.js';

export function requestEscrow(deps: Deps, { id }: { readonly id: OrderId }, ctx: Context): Promise<OrderRecord> {
  return operate(deps, { saga: 'create-escrow', orderId: id }, ctx, ({ order, parties }) => {
    demandEscrowCreation(order, parties);
    const after = beginEscrow(order, deps.newId('esc'));
    const told = { orderId: id, escrowId: after.escrow.id, amount: formatMoney(order.amount) };
    return { after, events: [event(orderEscrowCreating, told)], audits: entered(order, [after.status]) };
  });
}
