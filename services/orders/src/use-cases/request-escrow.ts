import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import type { OrderId } from '@holdfast/kernel/ids';
import { requireEscrowCreation } from '../domain/escrow.js';
import type { Deps } from './ports.js';
import { startOfEscrow } from './saga-starts.js';
import { startSaga } from './start-saga.js';

export function requestEscrow(deps: Deps, { id }: { readonly id: OrderId }, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, { saga: 'create-escrow', orderId: id }, ctx, ({ order, parties }) => {
    requireEscrowCreation(order, parties);
    return startOfEscrow(order, deps.newId('esc'));
  });
}
