import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { orderReserveRequested } from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { requireMove } from '../domain/move-order.js';
import type { Order } from '../domain/order.js';
import { requireActiveParties } from '../domain/parties.js';
import type { Deps } from './ports.js';
import { startSaga, type SagaStart } from './start-saga.js';

export function requestReserve(deps: Deps, { id }: { readonly id: OrderId }, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, id, ctx, ({ order, parties }) => {
    const start = reserveStart(order);
    requireActiveParties(parties);
    return start;
  });
}

/** The order stays ORDER_CREATED until the ledger has replied. */
export function reserveStart(order: Order): SagaStart {
  requireMove(order, 'reserve');
  return { after: order, events: [], starts: { saga: 'reserve', command: orderReserveRequested }, auditEntries: [] };
}
