import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import type { OrderId } from '@holdfast/kernel/ids';
import { requireActiveParties } from '../domain/parties.js';
import type { Deps } from './ports.js';
import { startOfFunding } from './saga-starts.js';
import { startSaga } from './start-saga.js';

export function requestFunding(deps: Deps, { id }: { readonly id: OrderId }, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, { saga: 'fund', orderId: id }, ctx, ({ order, parties }) => {
    const start = startOfFunding(order);
    requireActiveParties(parties);
    return start;
  });
}
