import type { Context, Instant } from '@holdfast/kernel/context';
import { isAppError } from '@holdfast/kernel/errors';
import { timeBy } from '../domain/marketplace-clock.js';
import { isSameTimer, timersOf, type TimerKind } from '../domain/timers.js';
import { announceDecisionDue, announceReleaseDue, announceResponseDue, markOverdue } from './announce-deadlines.js';
import { decideUnansweredDispute } from './decide-unanswered-dispute.js';
import { endReview } from './end-review.js';
import type { Deps } from './ports.js';
import { refundUndelivered } from './refund-undelivered.js';
import type { Firing } from './timer-firing.js';
import type { ClaimedTimer } from './timer-ports.js';

const firedBy: Readonly<Record<TimerKind, (firing: Firing) => void>> = {
  review: endReview,
  'release-due-soon': announceReleaseDue,
  delivery: refundUndelivered,
  'dispute-response': decideUnansweredDispute,
  'dispute-response-soon': announceResponseDue,
  'dispute-decision': markOverdue,
  'dispute-decision-soon': announceDecisionDue,
};

export type FireTimer = { readonly claimed: ClaimedTimer; readonly graceUntil: Instant | null };

/**
 * Decides on the locked order whether the timer is still wanted and its time has come, and then does what the route would do. A timer
 * that came too early, twice or too late does nothing. A refusal changes nothing: the order says whether the timer tries again.
 */
export async function fireTimer(deps: Deps, { claimed, graceUntil }: FireTimer, ctx: Context): Promise<void> {
  const { marketplaceId, orderId, kind, subject, attempts } = claimed;
  const runId = deps.newId('run');
  try {
    await deps.onOrder({ marketplaceId, orderId }, (tx, locked) => {
      const timer = timersOf(locked.order).find((each) => isSameTimer(each, claimed));
      const now = timeBy(locked.clock, ctx.at);
      if (timer === undefined || timer.dueAt > now) return;
      // Only a real outage delays a timer, because a test clock cannot cost real money.
      const grace = locked.clock.offsetSeconds === 0 ? graceUntil : null;
      firedBy[kind]({ deps, tx, locked, timer, claimed, graceUntil: grace, now, runId, ctx });
    });
  } catch (error) {
    const about = { orderId, kind, subject, attempts, error };
    if (isAppError(error)) ctx.log.info(about, 'timer refused');
    else ctx.log.warn(about, 'timer failed');
  }
}
