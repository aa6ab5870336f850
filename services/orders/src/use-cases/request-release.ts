import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { orderReleaseRequested } from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { startRelease } from '../domain/settlement.js';
import { statusEntries } from './audit.js';
import { event } from './apply-change.js';
import { startSaga } from './start-saga.js';
import type { Deps } from './ports.js';

export type ReleaseOrder = { readonly orderId: OrderId; readonly reason?: string | undefined };

export function requestRelease(deps: Deps, { orderId, reason }: ReleaseOrder, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, { saga: 'release', orderId }, ctx, ({ order }) => {
    const after = startRelease(order);
    const payload = { orderId, requestedBy: ctx.caller.id, requestedAt: ctx.at };
    return { after, events: [event(orderReleaseRequested, payload)], auditEntries: statusEntries(order, [after.status], reason) };
  });
}
