import type { Context } from '@holdfast/kernel/context';
import type { OrderWithMilestoneRecord } from '@holdfast/contracts/http';
import { milestoneSubmitted } from '@holdfast/contracts/messages';
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
  const evidence = input.evidence === undefined ? undefined : evidenceOf(input.evidence, ctx);
  return changeMilestone(deps, input, ctx, {
    decide: ({ order }) => {
      const after = submitted(order, { ref, evidence }, ctx.at);
      return describedChange(order, after, { ref, action: 'MILESTONE_SUBMITTED', declaration: milestoneSubmitted }, ctx);
    },
    isDone: ({ submittedAt }) => submittedAt === ctx.at,
  });
}

function evidenceOf({ text, url }: NonNullable<SubmitMilestone['evidence']>, { at, caller }: Context): Evidence {
  return { ...(text === undefined ? {} : { text }), ...(url === undefined ? {} : { url }), at, by: caller.id };
}
