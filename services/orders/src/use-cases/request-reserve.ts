import type { Context } from '@holdfast/shared/context';
import type { OrderRecord } from '@holdfast/shared/contracts/http';
import type { OrderId } from '@holdfast/shared/ids';
import { requireMove } from '../domain/moving.js';
import { startSaga } from './operation.js';
import type { Deps } from './ports.js';

/** The order stays ORDER_CREATED until the ledger has answered. */
export function requestReserve(deps: Deps, { id }: { readonly id: OrderId }, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, { saga: 'reserve', orderId: id }, ctx, ({ order }) => {
    requireMove(order, 'reserve');
    return { after: order, events: [], auditEntries: [] };
  });
}
