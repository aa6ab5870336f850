import type { Instant } from '@holdfast/kernel/context';
import { instantBefore, type Duration } from '@holdfast/kernel/instants';
import { isUnresolved } from './dispute.js';
import { isPaid } from './milestone-states.js';
import type { Dispute, Milestone, Order } from './order.js';

export const timerKinds = [
  'review',
  'release-due-soon',
  'delivery',
  'dispute-response',
  'dispute-response-soon',
  'dispute-decision',
  'dispute-decision-soon',
] as const;
export type TimerKind = (typeof timerKinds)[number];

/** A change that happens to an order at a set time, unless a party acts before. */
export type Timer = {
  readonly kind: TimerKind;
  /** The ref of a milestone or the id of a dispute; empty for the whole order. */
  readonly subject: string;
  readonly dueAt: Instant;
};

export const heldReasons = ['EMERGENCY_STOP', 'SUSPENDED_PARTY', 'OUTAGE'] as const;
/** Why a timer waits although its time has come: it would pay out, and nothing may be paid out now. */
export type HeldReason = (typeof heldReasons)[number];

const noticeBefore: Duration = 'PT24H';

/**
 * The timers that the present state of an order wants. Nothing else starts, moves or cancels one: saving an order writes the difference
 * between what it wanted before and what it wants now. See ADR 0107.
 */
export function timersOf(order: Order): readonly Timer[] {
  const disputes = [order.dispute, ...order.milestoneDisputes].filter(isUnresolved);
  return [
    ...order.milestones.flatMap((milestone) => [...reviewOf(order, milestone), ...releaseNoticeOf(order, milestone)]),
    ...deliveryOf(order),
    ...disputes.flatMap((dispute) => [...responseOf(dispute), ...decisionOf(dispute)]),
  ];
}

export function isSameTimer(one: Omit<Timer, 'dueAt'>, other: Omit<Timer, 'dueAt'>): boolean {
  return one.kind === other.kind && one.subject === other.subject;
}

/**
 * A review that has ended without an objection. Its timer stays until the milestone or the order is paid out, so that a payout which
 * has failed for a passing reason is tried again.
 */
function reviewOf(order: Order, milestone: Milestone): readonly Timer[] {
  const dueAt = isInReview(order, milestone) ? milestone.autoReleaseAt : releaseByReviewDueAt(order, milestone);
  return dueAt === null ? [] : [{ kind: 'review', subject: milestone.ref, dueAt }];
}

/** Whether the milestone is approved at `autoReleaseAt` unless a party objects. */
export function isInReview({ status }: Order, milestone: Milestone): boolean {
  return status === 'IN_PROGRESS' && milestone.status === 'SUBMITTED' && milestone.autoReleaseAt !== null;
}

/** When the review ended that has approved the last milestone of an order and released it as a whole. */
function releaseByReviewDueAt({ status }: Order, milestone: Milestone): Instant | null {
  const isReleasing = status === 'IN_PROGRESS' || status === 'RELEASE_REQUESTED';
  return isReleasing && milestone.status === 'COMPLETED' ? milestone.reviewEndedAt : null;
}

function releaseNoticeOf(order: Order, milestone: Milestone): readonly Timer[] {
  const { ref, autoReleaseAt, noticedReleaseAt } = milestone;
  if (!isInReview(order, milestone) || autoReleaseAt === null || noticedReleaseAt === autoReleaseAt) return [];
  return [{ kind: 'release-due-soon', subject: ref, dueAt: instantBefore(autoReleaseAt, noticeBefore) }];
}

function deliveryOf(order: Order): readonly Timer[] {
  const { deliverBy, onNotDelivered, deliveryCheckedAt, status } = order;
  const isDecided = deliveryCheckedAt !== null || status === 'CLOSED' || isAnythingDelivered(order);
  if (deliverBy === null || onNotDelivered === 'none' || isDecided) return [];
  return [{ kind: 'delivery', subject: '', dueAt: deliverBy }];
}

/** Whether anything was ever submitted, completed or paid. */
function isAnythingDelivered({ milestones }: Order): boolean {
  return milestones.some((milestone) => milestone.submittedAt !== null || milestone.completedAt !== null || isPaid(milestone));
}

function responseOf({ id, respondBy, onNoResponse, respondedAt, responseNoticedAt }: Dispute): readonly Timer[] {
  if (respondBy === null) return [];
  const isOpenerToWin = onNoResponse === 'opener' && respondedAt === null;
  return [
    ...(isOpenerToWin ? [{ kind: 'dispute-response', subject: id, dueAt: respondBy } as const] : []),
    ...noticeOf({ kind: 'dispute-response-soon', subject: id, dueAt: respondBy }, responseNoticedAt),
  ];
}

function decisionOf({ id, decideBy, overdueAt, decisionNoticedAt }: Dispute): readonly Timer[] {
  if (decideBy === null || overdueAt !== null) return [];
  return [
    { kind: 'dispute-decision', subject: id, dueAt: decideBy },
    ...noticeOf({ kind: 'dispute-decision-soon', subject: id, dueAt: decideBy }, decisionNoticedAt),
  ];
}

function noticeOf(timer: Timer, noticedAt: Instant | null): readonly Timer[] {
  return noticedAt === null ? [{ ...timer, dueAt: instantBefore(timer.dueAt, noticeBefore) }] : [];
}

export type TimerChanges = { readonly set: readonly Timer[]; readonly canceled: readonly Timer[] };

/** What a change of the order does to its timers. `before` is undefined for a new order. */
export function timerChanges(before: Order | undefined, after: Order): TimerChanges {
  const earlier = before === undefined ? [] : timersOf(before);
  const wanted = timersOf(after);
  const earlierOf = (timer: Timer): Timer | undefined => earlier.find((each) => isSameTimer(each, timer));
  return {
    set: wanted.filter((timer) => earlierOf(timer)?.dueAt !== timer.dueAt),
    canceled: earlier.filter((timer) => !wanted.some((each) => isSameTimer(each, timer))),
  };
}
