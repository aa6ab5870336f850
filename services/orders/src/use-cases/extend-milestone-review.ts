import type { Context, Instant } from '@holdfast/kernel/context';
import type { OrderWithMilestoneRecord } from '@holdfast/contracts/http';
import { milestoneReviewExtended } from '@holdfast/contracts/messages';
import { timeBy } from '../domain/marketplace-clock.js';
import { extendReview } from '../domain/milestones.js';
import { changeMilestone, type OnMilestone } from './change-milestone.js';
import { describedChange } from './milestone-events.js';
import type { Deps } from './ports.js';

export type ExtendMilestoneReview = OnMilestone & { readonly until: Instant };

export function extendMilestoneReview(deps: Deps, input: ExtendMilestoneReview, ctx: Context): Promise<OrderWithMilestoneRecord> {
  const { ref, until } = input;
  return changeMilestone(deps, input, ctx, {
    decide: ({ order, clock }) => {
      const at = timeBy(clock, ctx.at);
      const described = { ref, action: 'MILESTONE_REVIEW_EXTENDED', declaration: milestoneReviewExtended, at };
      return describedChange(order, extendReview(order, { ref, until }, at), described);
    },
    isDone: ({ autoReleaseAt }) => autoReleaseAt === until,
  });
}
