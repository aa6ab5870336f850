import { applyChange, originOfRequest } from '@holdfast/sagas';
import { orderKind } from './order-kind.js';
import { refundStart } from './request-refund.js';
import { isHeld, startFromTimer, type Firing } from './timer-firing.js';

const reason = 'Nothing was delivered in time.';

/** Refunds an order for which nothing was delivered in time. One that is not IN_PROGRESS at that time is not refunded later, either. */
export function refundUndelivered(firing: Firing): void {
  const { tx, locked, now, ctx } = firing;
  const { order } = locked;
  if (order.activeRun?.cause === 'not_delivered') return;
  if (order.status !== 'IN_PROGRESS') {
    const change = { after: { ...order, deliveryCheckedAt: now }, events: [], auditEntries: [] };
    applyChange(tx, orderKind, order, { change, origin: originOfRequest(ctx) });
    return;
  }
  if (!isHeld(firing)) startFromTimer(firing, refundStart(order, { reason, cause: 'not_delivered' }, ctx));
}
