import type { Context } from '@holdfast/kernel/context';
import type { OrderWithMilestoneRecord } from '@holdfast/contracts/http';
import { completeMilestone as completed } from '../domain/milestones.js';
import { changeMilestone, type OnMilestone } from './change-milestone.js';
import { milestoneChange } from './milestone-change.js';
import type { Deps } from './ports.js';

export function completeMilestone(deps: Deps, input: OnMilestone, ctx: Context): Promise<OrderWithMilestoneRecord> {
  return changeMilestone(deps, input, ctx, {
    decide: ({ order }) => milestoneChange(order, completed(order, input.ref, ctx.at), input.ref),
    // The time of the request distinguishes its own completion from the completion by a concurrent request.
    isDone: ({ completedAt }) => completedAt === ctx.at,
  });
}
