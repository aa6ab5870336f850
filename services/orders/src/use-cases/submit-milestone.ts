import type { Context, Instant } from '@holdfast/kernel/context';
import type { OrderWithMilestoneRecord } from '@holdfast/contracts/http';
import { milestoneSubmitted } from '@holdfast/contracts/messages';
import { timeBy } from '../domain/marketplace-clock.js';
import { submitMilestone as submitted } from '../domain/milestones.js';
import type { Evidence } from '../domain/order.js';
import { changeMilestone, type OnMilestone } from './change-milestone.js';
import { describedChange } from './milestone-events.js';
import type { Deps } from './ports.js';

export type SubmitMilestone = OnMilestone & {
  readonly evidence?: { readonly text?: string | undefined; readonly url?: string | undefined } | undefined;
};

export function submitMilestone(deps: Deps, input: SubmitMilestone, ctx: Context): Promise<OrderWithMilestoneRecord> {
  const { ref } = input;
  /** In the time of the marketplace, which is known once the order is locked. */
  let at = ctx.at;
  return changeMilestone(deps, input, ctx, {
    decide: ({ order, clock }) => {
      at = timeBy(clock, ctx.at);
      const evidence = input.evidence === undefined ? undefined : evidenceOf(input.evidence, ctx, at);
      const after = submitted(order, { ref, evidence }, at);
      return describedChange(order, after, { ref, action: 'MILESTONE_SUBMITTED', declaration: milestoneSubmitted, at });
    },
    isDone: ({ submittedAt }) => submittedAt === at,
  });
}

function evidenceOf({ text, url }: NonNullable<SubmitMilestone['evidence']>, { caller }: Context, at: Instant): Evidence {
  return { ...(text === undefined ? {} : { text }), ...(url === undefined ? {} : { url }), at, by: caller.id };
}
