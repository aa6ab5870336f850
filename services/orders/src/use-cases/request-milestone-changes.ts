import type { Context } from '@holdfast/kernel/context';
import type { OrderWithMilestoneRecord } from '@holdfast/contracts/http';
import { milestoneChangesRequested } from '@holdfast/contracts/messages';
import { timeBy } from '../domain/marketplace-clock.js';
import { requestChanges } from '../domain/milestones.js';
import { changeMilestone, type OnMilestone } from './change-milestone.js';
import { describedChange } from './milestone-events.js';
import type { Deps } from './ports.js';

export type RequestMilestoneChanges = OnMilestone & { readonly reason: string };

export function requestMilestoneChanges(
  deps: Deps,
  input: RequestMilestoneChanges,
  ctx: Context,
): Promise<OrderWithMilestoneRecord> {
  const { ref, reason } = input;
  const action = 'MILESTONE_CHANGES_REQUESTED';
  return changeMilestone(deps, input, ctx, {
    decide: ({ order, clock }) => {
      const described = { ref, action, declaration: milestoneChangesRequested, reason, at: timeBy(clock, ctx.at) };
      return describedChange(order, requestChanges(order, ref), described);
    },
    // An OPEN milestone that was submitted before has had its changes requested, by this request or another one.
    isDone: ({ status, submittedAt }) => status === 'OPEN' && submittedAt !== null,
  });
}
