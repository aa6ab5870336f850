import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import type { OrderId } from '@holdfast/kernel/ids';
import { requireMove } from '../domain/move-order.js';
import { requireActiveParties } from '../domain/parties.js';
import { startSaga } from './start-saga.js';
import type { Deps } from './ports.js';

/** The order stays ORDER_CREATED until the ledger has replied. */
export function requestReserve(deps: Deps, { id }: { readonly id: OrderId }, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, { saga: 'reserve', orderId: id }, ctx, ({ order, parties }) => {
    requireMove(order, 'reserve');
    requireActiveParties(parties);
    return { after: order, events: [], auditEntries: [] };
  });
}
