import { applyChange, originOfRequest } from '@holdfast/sagas';
import type { Dispute, Order } from '../domain/order.js';
import { disputeIn } from '../domain/focus.js';
import { assignment } from './assign-dispute.js';
import { orderKind } from './order-kind.js';
import { resolutionStart } from './request-resolution.js';
import { heldReasonOf, isHeld, startFromTimer, type Firing } from './timer-firing.js';

const note = 'The other side did not respond in time.';

/** The side that opened a dispute wins, because the other one has not responded in time and the marketplace wants it so. */
export function decideUnansweredDispute(firing: Firing): void {
  const { tx, locked, timer, ctx } = firing;
  const { order, dispute } = disputeIn(locked.order, timer.subject);
  if (order.activeRun !== null || locked.order.activeRun !== null) return;
  if (isExtendedAfterOutage(firing, order, dispute) || isHeld(firing)) return;
  const isOpen = dispute.status === 'OPEN';
  const assigned = isOpen
    ? applyChange(tx, orderKind, order, { change: assignment(order, dispute, ctx.caller.id, ctx), origin: originOfRequest(ctx) })
    : order;
  const decision = dispute.openedBy === 'BUYER' ? 'FULL_REFUND' : 'FULL_RELEASE';
  startFromTimer(
    { ...firing, locked: { ...locked, order: assigned } },
    resolutionStart(assigned, { id: dispute.id, decision, note }, ctx),
  );
}

/** The parties could not respond while the platform was away. The new deadline is announced like the first one. */
function isExtendedAfterOutage(firing: Firing, order: Order, dispute: Dispute): boolean {
  const { tx, graceUntil, ctx } = firing;
  if (heldReasonOf(firing) !== 'OUTAGE' || graceUntil === null) return false;
  const extended = { ...dispute, respondBy: graceUntil, responseNoticedAt: null };
  const entry = {
    action: 'DISPUTE_RESPONSE_EXTENDED',
    reason: 'The platform was away.',
    before: { respondBy: dispute.respondBy },
    after: { respondBy: graceUntil },
  };
  const change = { after: { ...order, dispute: extended }, events: [], auditEntries: [entry] };
  applyChange(tx, orderKind, order, { change, origin: originOfRequest(ctx) });
  return true;
}
