import type { Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { instantAfter, type Duration } from '@holdfast/kernel/instants';
import { canMove, moved } from '@holdfast/kernel/states';
import { focusedMilestone, focusOn, milestoneOf, requireMilestone, withMilestone } from './focus.js';
import { isPaid, milestoneMoves, type MilestoneMove, type MilestoneStatus } from './milestone-states.js';
import { requireNoActiveRun } from './move-order.js';
import type { Evidence, Milestone, Order } from './order.js';
import type { OrderStatus } from './order-states.js';
import type { PayoutShares } from './payout-shares.js';

const allowedIn = ['IN_PROGRESS'] as const;

/** The checks that all calls on a milestone share. Returns the order with its focus on the milestone. */
function requireMilestoneMove(order: Order, ref: string, move: MilestoneMove): Order {
  const focused = focusOn(order, ref);
  requireNoActiveRun(focused, allowedIn);
  if (order.status !== 'IN_PROGRESS')
    throw new AppError('INVALID_STATE', { currentStatus: order.status, allowedStatuses: allowedIn });
  moved<MilestoneStatus, MilestoneMove>(milestoneMoves, move, requireMilestone(order, ref).status);
  return focused;
}

/** The checks of calls that pay out or dispute one milestone. */
export function requireOwnPayout(order: Order, ref: string, move: 'release' | 'refund' | 'dispute'): Order {
  const focused = focusOn(order, ref);
  if (order.releaseMode !== 'milestone')
    throw new AppError(
      'INVALID_STATE',
      { currentStatus: order.status, allowedStatuses: allowedIn, releaseMode: order.releaseMode },
      { message: 'The order is paid out as a whole: its releaseMode is order, not milestone.' },
    );
  return requireMilestoneMove(focused, ref, move);
}

export function completeMilestone(order: Order, ref: string, at: Instant): Order {
  requireMilestoneMove(order, ref, 'complete');
  return withCompleted(order, requireMilestone(order, ref), at);
}

/** Returns the same order if the milestone does not exist or is past its completion. */
export function milestoneSeen(order: Order, ref: string, at: Instant): Order {
  const milestone = milestoneOf(order, ref);
  const isCompletable =
    milestone !== undefined && canMove<MilestoneStatus, MilestoneMove>(milestoneMoves, 'complete', milestone.status);
  return isCompletable && order.status !== 'CLOSED' ? withCompleted(order, milestone, at) : order;
}

/** A completed milestone is approved, so that its review is over. */
export function withCompleted(order: Order, milestone: Milestone, at: Instant): Order {
  return changed(order, { ...milestone, ...noReview, status: statusAfter(milestone, 'complete'), completedAt: at });
}

const noReview = { autoReleaseAt: null, firstAutoReleaseAt: null, reviewEndedAt: null } as const;

const evidenceMax = 100;

/** A dispute or a milestone takes so many pieces of evidence. */
export function requireRoomForEvidence(entries: readonly unknown[]): void {
  if (entries.length < evidenceMax) return;
  throw new AppError('LIMIT_EXCEEDED', { max: evidenceMax }, { message: `At most ${evidenceMax} pieces of evidence are taken.` });
}

export type Submission = { readonly ref: string; readonly evidence: Evidence | undefined };

/** Submits a milestone. If there is a review period, the review begins. */
export function submitMilestone(order: Order, { ref, evidence }: Submission, at: Instant): Order {
  requireMilestoneMove(order, ref, 'submit');
  const milestone = requireMilestone(order, ref);
  if (evidence !== undefined) requireRoomForEvidence(milestone.evidence);
  const endsAt = order.reviewPeriod === null ? null : instantAfter(at, order.reviewPeriod);
  return changed(order, {
    ...milestone,
    status: statusAfter(milestone, 'submit'),
    submittedAt: at,
    autoReleaseAt: endsAt,
    firstAutoReleaseAt: endsAt,
    reviewEndedAt: null,
    evidence: evidence === undefined ? milestone.evidence : [...milestone.evidence, evidence],
  });
}

export function requestChanges(order: Order, ref: string): Order {
  requireMilestoneMove(order, ref, 'requestChanges');
  const milestone = requireMilestone(order, ref);
  return changed(order, { ...milestone, ...noReview, status: statusAfter(milestone, 'requestChanges') });
}

const extensionMax: Duration = 'P30D';

export type Extension = { readonly ref: string; readonly until: Instant };

export function extendReview(order: Order, { ref, until }: Extension, at: Instant): Order {
  requireMilestoneMove(order, ref, 'requestChanges');
  const milestone = requireMilestone(order, ref);
  const { status, autoReleaseAt, firstAutoReleaseAt } = milestone;
  if (autoReleaseAt === null || firstAutoReleaseAt === null)
    throw new AppError(
      'INVALID_STATE',
      { currentStatus: status, allowedStatuses: ['SUBMITTED'], autoReleaseAt },
      { message: 'No review is running.' },
    );
  const latest = instantAfter(firstAutoReleaseAt, extensionMax);
  if (until <= at || until <= autoReleaseAt || until > latest) {
    const fault = `until must be later than now and than ${autoReleaseAt}, and at most ${latest}`;
    throw new AppError('VALIDATION_ERROR', { validationErrors: [fault], autoReleaseAt, latest });
  }
  return withReviewUntil(order, milestone, until);
}

export function withReviewUntil(order: Order, milestone: Milestone, autoReleaseAt: Instant): Order {
  return changed(order, { ...milestone, autoReleaseAt });
}

const deliverByMax: Duration = 'P366D';

/** VALIDATION_ERROR unless it is in the future and at most a year ahead. */
export function requireDeliverBy(deliverBy: Instant | null, at: Instant): void {
  if (deliverBy === null || (deliverBy > at && deliverBy <= instantAfter(at, deliverByMax))) return;
  throw new AppError('VALIDATION_ERROR', { validationErrors: ['deliverBy must be in the future, at most a year ahead'] });
}

/** The refs of milestones that keep the whole order from being released: those that are neither completed nor paid. */
export function openMilestoneRefs({ milestones }: Order): readonly string[] {
  return milestones.filter((milestone) => milestone.status !== 'COMPLETED' && !isPaid(milestone)).map(({ ref }) => ref);
}

function disputedMilestoneRefs({ milestones }: Order): readonly string[] {
  return milestones.filter(({ status }) => status === 'DISPUTED').map(({ ref }) => ref);
}

/** What a dispute about one milestone touches cannot be decided with the whole order. */
export function requireNoDisputedMilestone(order: Order, allowedStatuses: readonly OrderStatus[]): void {
  const disputedMilestones = disputedMilestoneRefs(order);
  if (disputedMilestones.length > 0)
    throw new AppError('INVALID_STATE', { currentStatus: order.status, allowedStatuses, disputedMilestones });
}

const payoutMoves = { RELEASE: 'paidToSeller', REFUND: 'paidToBuyer', SPLIT: 'paidToBoth' } as const;

/** The milestone after the contract has paid it out. */
export function paidMilestone(milestone: Milestone, { decision, seller, buyer, fee }: PayoutShares, at: string): Milestone {
  return {
    ...milestone,
    ...noReview,
    status: statusAfter(milestone, payoutMoves[decision]),
    releasedAt: seller.units > 0n ? at : null,
    released: seller,
    refunded: buyer,
    fee,
    contractPayout: null,
    ledgerPayout: null,
  };
}

/** Whether every milestone is paid, so that the order is over. */
export function isEveryMilestonePaid({ milestones }: Order): boolean {
  return milestones.every(isPaid);
}

/** Whether an order that is paid milestone by milestone has nothing left to pay. */
export function isPaidByMilestones(order: Order): boolean {
  return order.releaseMode === 'milestone' && isEveryMilestonePaid(order);
}

/** The milestone in focus is DISPUTED and its review over. */
export function disputeMilestone(order: Order): Order {
  const milestone = focusedMilestone(order);
  if (milestone === undefined) throw new Error(`the decision on order ${order.id} is about no milestone`);
  return changed(order, { ...milestone, ...noReview, status: statusAfter(milestone, 'dispute') });
}

function statusAfter({ status }: Milestone, move: MilestoneMove): MilestoneStatus {
  return moved<MilestoneStatus, MilestoneMove>(milestoneMoves, move, status);
}

function changed(order: Order, milestone: Milestone): Order {
  return { ...order, milestones: withMilestone(order, milestone) };
}
