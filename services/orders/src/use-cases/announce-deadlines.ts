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
  const { locked, timer, ctx } = firing;
  const { order } = locked;
  const milestone = requireMilestone(order, timer.subject);
  const { ref, autoReleaseAt } = milestone;
  const after = { ...order, milestones: withMilestone(order, { ...milestone, noticedReleaseAt: autoReleaseAt }) };
  const isNear = autoReleaseAt !== null && ctx.at < autoReleaseAt;
  save(firing, order, after, isNear ? [milestoneEvent(milestoneReleaseDueSoon, after, { ref, at: ctx.at })] : []);
}

export function announceResponseDue(firing: Firing): void {
  changeDispute(firing, ({ respondBy }) => ({ change: { responseNoticedAt: firing.ctx.at }, soon: respondBy }));
}

export function announceDecisionDue(firing: Firing): void {
  changeDispute(firing, ({ decideBy }) => ({ change: { decisionNoticedAt: firing.ctx.at }, soon: decideBy }));
}

/** The dispute was not decided in time. That is all: a person still decides it. */
export function markOverdue(firing: Firing): void {
  changeDispute(firing, ({ decideBy }) => ({ change: { overdueAt: firing.ctx.at }, missed: decideBy }));
}

type Announced = {
  readonly change: Partial<Dispute>;
  /** A deadline that is near. One that has passed is not announced any more. */
  readonly soon?: Instant | null;
  readonly missed?: Instant | null;
};

function changeDispute(firing: Firing, announce: (dispute: Dispute) => Announced): void {
  const { locked, timer, ctx } = firing;
  const { order, dispute } = disputeIn(locked.order, timer.subject);
  const { change, soon = null, missed = null } = announce(dispute);
  const { id: disputeId, milestoneRef } = dispute;
  const about = { disputeId, orderId: order.id, ...(milestoneRef === null ? {} : { milestoneRef }), at: ctx.at };
  const events = [
    ...(soon !== null && ctx.at < soon ? [event(disputeDueSoon, { ...about, dueAt: soon })] : []),
    ...(missed === null ? [] : [event(disputeOverdue, { ...about, dueAt: missed })]),
  ];
  save(firing, order, { ...order, dispute: { ...dispute, ...change } }, events);
}

function save({ tx, ctx }: Firing, before: Order, after: Order, events: readonly Event[]): void {
  applyChange(tx, orderKind, before, { change: { after, events, auditEntries: [] }, origin: originOfRequest(ctx) });
}
