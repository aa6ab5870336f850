import type { Context, Instant } from '@holdfast/kernel/context';
import type { OrderWithMilestoneRecord } from '@holdfast/contracts/http';
import { milestoneReviewExtended } from '@holdfast/contracts/messages';
import { extendReview } from '../domain/milestones.js';
import { changeMilestone, type OnMilestone } from './change-milestone.js';
import { describedChange } from './milestone-events.js';
import type { Deps } from './ports.js';

export type ExtendMilestoneReview = OnMilestone & { readonly until: Instant };

export function extendMilestoneReview(deps: Deps, input: ExtendMilestoneReview, ctx: Context): Promise<OrderWithMilestoneRecord> {
  const { ref, until } = input;
  const described = { ref, action: 'MILESTONE_REVIEW_EXTENDED', declaration: milestoneReviewExtended };
  return changeMilestone(deps, input, ctx, {
    decide: ({ order }) => describedChange(order, extendReview(order, { ref, until }, ctx.at), described, ctx),
    isDone: ({ autoReleaseAt }) => autoReleaseAt === until,
  });
}
