import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { escrowSettlementRequested, orderReleaseRequested } from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { event } from '@holdfast/sagas';
import { startRelease } from '../domain/settlement.js';
import { statusEntries } from './audit.js';
import { startSaga } from './start-saga.js';
import type { Deps } from './ports.js';

export type ReleaseOrder = { readonly orderId: OrderId; readonly reason?: string | undefined };

export function requestRelease(deps: Deps, { orderId, reason }: ReleaseOrder, ctx: Context): Promise<OrderRecord> {
  return startSaga(deps, orderId, ctx, ({ order }) => {
    const after = startRelease(order);
    return {
      after,
      events: [event(orderReleaseRequested, { orderId, requestedBy: ctx.caller.id, requestedAt: ctx.at })],
      starts: { saga: 'release', command: escrowSettlementRequested },
      auditEntries: statusEntries(order, [after.status], reason),
    };
  });
}
