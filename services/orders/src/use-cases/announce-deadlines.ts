import { disputeDueSoon, disputeOverdue, milestoneReleaseDueSoon } from '@holdfast/contracts/messages';
import type { Instant } from '@holdfast/kernel/context';
import { applyChange, event, originOfRequest, type Event } from '@holdfast/sagas';
import { disputeIn, requireMilestone, withMilestone } from '../domain/focus.js';
import type { Dispute, Order } from '../domain/order.js';
import { milestoneEvent } from './milestone-events.js';
import { orderKind } from './order-kind.js';
import type { Firing } from './timer-firing.js';

/** Announces once for each end of a review that it is near. */
export function announceReleaseDue(firing: Firing): void {
  const { locked, timer, now } = firing;
  const { order } = locked;
  const milestone = requireMilestone(order, timer.subject);
  const { ref, autoReleaseAt } = milestone;
  const after = { ...order, milestones: withMilestone(order, { ...milestone, noticedReleaseAt: autoReleaseAt }) };
  const isNear = autoReleaseAt !== null && now < autoReleaseAt;
  save(firing, order, after, isNear ? [milestoneEvent(milestoneReleaseDueSoon, after, { ref, at: now })] : []);
}

export function announceResponseDue(firing: Firing): void {
  changeDispute(firing, ({ respondBy }) => ({ change: { responseNoticedAt: firing.now }, soon: respondBy }));
}

export function announceDecisionDue(firing: Firing): void {
  changeDispute(firing, ({ decideBy }) => ({ change: { decisionNoticedAt: firing.now }, soon: decideBy }));
}

/** The dispute was not decided in time. That is all: a person still decides it. */
export function markOverdue(firing: Firing): void {
  changeDispute(firing, ({ decideBy }) => ({ change: { overdueAt: firing.now }, missed: decideBy }));
}

type Announced = {
  readonly change: Partial<Dispute>;
  /** A deadline that is near. One that has passed is not announced any more. */
  readonly soon?: Instant | null;
  readonly missed?: Instant | null;
};

function changeDispute(firing: Firing, announce: (dispute: Dispute) => Announced): void {
  const { locked, timer, now } = firing;
  const { order, dispute } = disputeIn(locked.order, timer.subject);
  const { change, soon = null, missed = null } = announce(dispute);
  const { id: disputeId, milestoneRef } = dispute;
  const about = { disputeId, orderId: order.id, ...(milestoneRef === null ? {} : { milestoneRef }), at: now };
  const events = [
    ...(soon !== null && now < soon ? [event(disputeDueSoon, { ...about, dueAt: soon })] : []),
    ...(missed === null ? [] : [event(disputeOverdue, { ...about, dueAt: missed })]),
  ];
  save(firing, order, { ...order, dispute: { ...dispute, ...change } }, events);
}

function save({ tx, ctx }: Firing, before: Order, after: Order, events: readonly Event[]): void {
  applyChange(tx, orderKind, before, { change: { after, events, auditEntries: [] }, origin: originOfRequest(ctx) });
}
