import type { Context } from '@holdfast/shared/context';
import type { OrderRecord } from '@holdfast/shared/contracts/http';
import { orderReleaseRequested } from '@holdfast/shared/contracts/messages';
import type { OrderId } from '@holdfast/shared/ids';
import { startRelease } from '../domain/settling.js';
import { statusEntries } from './audit.js';
import { event } from './change.js';
import { startSaga } from './operation.js';
import type { Deps } from './ports.js';

export type ReleaseOrder = { readonly orderId: OrderId; readonly reason?: string | undefined };

export function requestRelease(deps: Deps, { orderId, reason }: ReleaseOrder, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, { saga: 'release', orderId }, ctx, ({ order }) => {
    const after = startRelease(order);
    const payload = { orderId, requestedBy: ctx.caller.id, requestedAt: ctx.at };
    return { after, events: [event(orderReleaseRequested, payload)], auditEntries: statusEntries(order, [after.status], reason) };
  });
}
