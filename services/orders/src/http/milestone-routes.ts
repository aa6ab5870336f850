import { milestoneRoutes } from '@holdfast/contracts/http';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import { mapPage } from '@holdfast/kernel/pages';
import { completeMilestone } from '../use-cases/complete-milestone.js';
import { disputeMilestone } from '../use-cases/dispute-milestone.js';
import { extendMilestoneReview } from '../use-cases/extend-milestone-review.js';
import { listMilestones } from '../use-cases/list-milestones.js';
import type { Deps } from '../use-cases/ports.js';
import { recordOfMilestone } from '../use-cases/records.js';
import { requestMilestoneChanges } from '../use-cases/request-milestone-changes.js';
import { requestMilestoneRefund } from '../use-cases/request-milestone-refund.js';
import { requestMilestoneRelease } from '../use-cases/request-milestone-release.js';
import { submitMilestone } from '../use-cases/submit-milestone.js';

export function milestoneRoutesOf(deps: Deps): readonly BoundRoute[] {
  return bindRoutes(milestoneRoutes, {
    listMilestones: async ({ params, query }, ctx) =>
      mapPage(await listMilestones(deps, { ...query, ...params }, ctx), recordOfMilestone),
    completeMilestone: ({ params }, ctx) => completeMilestone(deps, params, ctx),
    submitMilestone: ({ params, body }, ctx) => submitMilestone(deps, { ...body, ...params }, ctx),
    requestMilestoneChanges: ({ params, body }, ctx) => requestMilestoneChanges(deps, { ...body, ...params }, ctx),
    extendMilestoneReview: ({ params, body }, ctx) => extendMilestoneReview(deps, { ...body, ...params }, ctx),
    releaseMilestone: ({ params }, ctx) => requestMilestoneRelease(deps, params, ctx),
    refundMilestone: ({ params, body }, ctx) => requestMilestoneRefund(deps, { ...body, ...params }, ctx),
    disputeMilestone: ({ params, body }, ctx) => disputeMilestone(deps, { ...body, ...params }, ctx),
  });
}
