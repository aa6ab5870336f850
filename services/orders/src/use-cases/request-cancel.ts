import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import type { OrderId } from '@holdfast/kernel/ids';
import { requireMove } from '../domain/move-order.js';
import { startSaga } from './start-saga.js';
import type { Deps } from './ports.js';

export type CancelOrder = {
  readonly id: OrderId;
  readonly reason?: string | undefined;
  readonly canceledBy?: string | undefined;
};

/** The ledger gets the command in every state, because funds may be reserved for the order over the balance routes. */
export function requestCancel(deps: Deps, { id, reason, canceledBy }: CancelOrder, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, { saga: 'cancel', orderId: id }, ctx, ({ order }) => {
    requireMove(order, 'cancel');
    const given = { reason: reason ?? null, ...(canceledBy === undefined ? {} : { requestedBy: canceledBy }) };
    return { ...given, after: order, events: [], auditEntries: [] };
  });
}
