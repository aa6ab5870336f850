import type { Instant } from '@holdfast/kernel/context';
import { withMilestone } from './focus.js';
import { isPaid } from './milestone-states.js';
import type { Milestone, Order } from './order.js';

/** The milestones that are approved together when this review ends, or undefined if another one is still open or under review. */
export function approvedByReview({ milestones }: Order, ending: Milestone): readonly Milestone[] | undefined {
  const others = milestones.filter(({ ref }) => ref !== ending.ref);
  const isReady = (milestone: Milestone): boolean =>
    milestone.status === 'COMPLETED' || milestone.reviewEndedAt !== null || isPaid(milestone);
  if (!others.every(isReady)) return undefined;
  return milestones.filter((milestone) => milestone.status === 'SUBMITTED');
}

/** The review is over without an objection, and the milestone waits for the others of its order. */
export function withEndedReview(order: Order, milestone: Milestone, reviewEndedAt: Instant): Order {
  const ended = { ...milestone, autoReleaseAt: null, firstAutoReleaseAt: null, reviewEndedAt };
  return { ...order, milestones: withMilestone(order, ended) };
}
