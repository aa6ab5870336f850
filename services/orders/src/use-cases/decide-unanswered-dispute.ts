import { applyChange, originOfRequest } from '@holdfast/sagas';
import { disputeIn } from '../domain/focus.js';
import { assignment } from './assign-dispute.js';
import { orderKind } from './order-kind.js';
import { resolutionStart } from './request-resolution.js';
import { isHeld, startFromTimer, type Firing } from './timer-firing.js';

const note = 'The other side did not respond in time.';

/** The side that opened a dispute wins, because the other one has not responded in time and the marketplace wants it so. */
export function decideUnansweredDispute(firing: Firing): void {
  const { tx, locked, timer, ctx } = firing;
  const { order, dispute } = disputeIn(locked.order, timer.subject);
  if (order.activeRun !== null || locked.order.activeRun !== null || isHeld(firing)) return;
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
