import { milestoneReviewExtended } from '@holdfast/contracts/messages';
import { applyChange, originOfRequest } from '@holdfast/sagas';
import { requireMilestone } from '../domain/focus.js';
import { withCompleted, withReviewUntil } from '../domain/milestones.js';
import type { Milestone, Order } from '../domain/order.js';
import { approvedByReview, withEndedReview } from '../domain/reviews.js';
import { isInReview } from '../domain/timers.js';
import { milestoneChange } from './milestone-change.js';
import { describedChange } from './milestone-events.js';
import { orderKind } from './order-kind.js';
import { milestoneReleaseStart } from './request-milestone-release.js';
import { releaseStart } from './request-release.js';
import { heldReasonOf, isHeld, startFromTimer, type Firing } from './timer-firing.js';

const cause = 'review_period';

/** A review has ended without an objection: the milestone, or the whole order with its last milestone, is approved and released. */
export function endReview(firing: Firing): void {
  const { locked, timer, ctx } = firing;
  const { order } = locked;
  const milestone = requireMilestone(order, timer.subject);
  if (isPaying(order, milestone)) return;
  if (isExtendedAfterOutage(firing, milestone) || isHeld(firing)) return;
  if (order.releaseMode === 'milestone') startFromTimer(firing, milestoneReleaseStart(order, milestone.ref, cause));
  else {
    const approved = isInReview(order, milestone) ? approve(firing, milestone) : order;
    if (approved !== undefined)
      startFromTimer({ ...firing, locked: { ...locked, order: approved } }, releaseStart(approved, { cause }, ctx));
  }
}

/** A payout that has begun decides what becomes of the milestone. */
function isPaying({ activeRun }: Order, milestone: Milestone): boolean {
  return activeRun !== null || milestone.activeRun !== null;
}

/** Our own outage never decides: a review that ends before the grace period has passed ends with it. */
function isExtendedAfterOutage(firing: Firing, milestone: Milestone): boolean {
  const { tx, locked, graceUntil, now, ctx } = firing;
  const { order } = locked;
  if (heldReasonOf(firing) !== 'OUTAGE' || graceUntil === null || !isInReview(order, milestone)) return false;
  const { ref } = milestone;
  const described = {
    ref,
    action: 'MILESTONE_REVIEW_EXTENDED',
    declaration: milestoneReviewExtended,
    cause: 'outage',
    at: now,
  } as const;
  const change = describedChange(order, withReviewUntil(order, milestone, graceUntil), described);
  applyChange(tx, orderKind, order, { change, origin: originOfRequest(ctx) });
  return true;
}

/** The order with every milestone approved. Undefined while another one is open or under review; then the review is just over. */
function approve({ tx, locked, timer, ctx }: Firing, ending: Milestone): Order | undefined {
  const { order } = locked;
  const origin = originOfRequest(ctx);
  const approved = approvedByReview(order, ending);
  if (approved === undefined) {
    const change = { after: withEndedReview(order, ending, timer.dueAt), events: [], auditEntries: [] };
    applyChange(tx, orderKind, order, { change, origin });
    return undefined;
  }
  const complete = (before: Order, { ref }: Milestone): Order => {
    const after = withCompleted(before, requireMilestone(before, ref), ctx.at);
    return applyChange(tx, orderKind, before, { change: milestoneChange(before, after, ref), origin });
  };
  const completed = approved.reduce(complete, order);
  // Its timer stays until the order is paid out, so that a release that has failed is tried again.
  return withEndedReview(completed, requireMilestone(completed, ending.ref), timer.dueAt);
}
