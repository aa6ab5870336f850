import type { Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { moved } from '@holdfast/kernel/states';
import { milestoneMoves } from './milestone-states.js';
import { requireNoActiveRun } from './move-order.js';
import type { Milestone, Order } from './order.js';

const completableIn = ['IN_PROGRESS'] as const;

export function completeMilestone(order: Order, ref: string, at: Instant): Order {
  const milestone = milestoneOf(order, ref);
  if (milestone === undefined) throw new AppError('MILESTONE_NOT_FOUND', { orderId: order.id, milestoneRef: ref });
  requireNoActiveRun(order, completableIn);
  if (order.status !== 'IN_PROGRESS')
    throw new AppError('INVALID_STATE', { currentStatus: order.status, allowedStatuses: completableIn });
  return withCompleted(order, milestone, at);
}

/** Returns the same order if the milestone does not exist or is already completed. */
export function milestoneSeen(order: Order, ref: string, at: Instant): Order {
  const milestone = milestoneOf(order, ref);
  return milestone?.status === 'OPEN' && order.status !== 'CLOSED' ? withCompleted(order, milestone, at) : order;
}

export function milestoneOf({ milestones }: Order, ref: string): Milestone | undefined {
  return milestones.find((milestone) => milestone.ref === ref);
}

export function openMilestoneRefs({ milestones }: Order): readonly string[] {
  return milestones.filter(({ status }) => status !== 'COMPLETED').map(({ ref }) => ref);
}

function withCompleted(order: Order, milestone: Milestone, at: Instant): Order {
  const completed = { ...milestone, status: moved(milestoneMoves, 'complete', milestone.status), completedAt: at };
  return { ...order, milestones: order.milestones.map((each) => (each === milestone ? completed : each)) };
}
