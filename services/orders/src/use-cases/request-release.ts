import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { escrowSettlementRequested, orderReleaseRequested } from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { event } from '@holdfast/sagas';
import type { Order } from '../domain/order.js';
import { startRelease } from '../domain/settlement.js';
import { statusEntries } from './audit.js';
import { startSaga, type SagaStart } from './start-saga.js';
import type { Deps } from './ports.js';

export type ReleaseOrder = { readonly orderId: OrderId; readonly reason?: string | undefined };

export function requestRelease(deps: Deps, { orderId, reason }: ReleaseOrder, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, orderId, ctx, ({ order }) => releaseStart(order, { reason }, ctx));
}

export type ReleaseStart = { readonly reason?: string | undefined; readonly cause?: 'review_period' };

export function releaseStart(order: Order, { reason, cause }: ReleaseStart, ctx: Context): SagaStart<'release'> {
  const after = startRelease(order);
  const caused = cause === undefined ? {} : { cause };
  return {
    after,
    events: [event(orderReleaseRequested, { orderId: order.id, requestedBy: ctx.caller.id, requestedAt: ctx.at, ...caused })],
    starts: { saga: 'release', command: escrowSettlementRequested },
    auditEntries: statusEntries(order, [after.status], reason),
    ...caused,
  };
}
