import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import type { OrderId } from '@holdfast/kernel/ids';
import { requireActiveParties } from '../domain/parties.js';
import type { Deps } from './ports.js';
import { startOfReserve } from './saga-starts.js';
import { startSaga } from './start-saga.js';

export function requestReserve(deps: Deps, { id }: { readonly id: OrderId }, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, { saga: 'reserve', orderId: id }, ctx, ({ order, parties }) => {
    const start = startOfReserve(order);
    requireActiveParties(parties);
    return start;
  });
}
