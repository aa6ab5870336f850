import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { orderCancelRequested } from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { requireMove } from '../domain/move-order.js';
import type { Order } from '../domain/order.js';
import type { Deps } from './ports.js';
import { startSaga, type SagaStart } from './start-saga.js';

type CancelInput = { readonly reason?: string | undefined; readonly canceledBy?: string | undefined };

export type CancelOrder = CancelInput & { readonly id: OrderId };

export function requestCancel(deps: Deps, { id, ...input }: CancelOrder, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, id, ctx, ({ order }) => cancelStart(order, input));
}

/** The ledger gets the command in every state, because funds may be reserved for the order over the balance routes. */
export function cancelStart(order: Order, { reason, canceledBy }: CancelInput): SagaStart {
  requireMove(order, 'cancel');
  return {
    after: order,
    events: [],
    starts: { saga: 'cancel', command: orderCancelRequested },
    auditEntries: [],
    reason: reason ?? null,
    ...(canceledBy === undefined ? {} : { requestedBy: canceledBy }),
  };
}
