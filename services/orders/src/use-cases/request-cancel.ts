import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import type { OrderId } from '@holdfast/kernel/ids';
import type { Deps } from './ports.js';
import { startOfCancel } from './saga-starts.js';
import { startSaga } from './start-saga.js';

export type CancelOrder = {
  readonly id: OrderId;
  readonly reason?: string | undefined;
  readonly canceledBy?: string | undefined;
};

export function requestCancel(deps: Deps, { id, ...input }: CancelOrder, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, { saga: 'cancel', orderId: id }, ctx, ({ order }) => startOfCancel(order, input));
}
