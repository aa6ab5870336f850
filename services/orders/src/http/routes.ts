import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import type { Currency } from '@holdfast/kernel/money';
import { mapPage } from '@holdfast/kernel/pages';
import { addDisputeEvidence } from '../use-cases/add-dispute-evidence.js';
import { addDisputeComment } from '../use-cases/add-dispute-comment.js';
import { assignDispute } from '../use-cases/assign-dispute.js';
import { createOrder } from '../use-cases/create-order.js';
import { getDispute } from '../use-cases/get-dispute.js';
import { getOrder } from '../use-cases/get-order.js';
import { getTestClock } from '../use-cases/get-test-clock.js';
import { listDisputeComments } from '../use-cases/list-dispute-comments.js';
import { listDisputes } from '../use-cases/list-disputes.js';
import { listOrderTransfers } from '../use-cases/list-order-transfers.js';
import { listOrders } from '../use-cases/list-orders.js';
import { openDispute } from '../use-cases/open-dispute.js';
import type { Deps } from '../use-cases/ports.js';
import { disputeRecordIn, recordOf } from '../use-cases/records.js';
import { previewResolution } from '../use-cases/preview-resolution.js';
import { requestCancel } from '../use-cases/request-cancel.js';
import { requestEscrow } from '../use-cases/request-escrow.js';
import { requestFunding } from '../use-cases/request-funding.js';
import { requestRefund } from '../use-cases/request-refund.js';
import { requestRelease } from '../use-cases/request-release.js';
import { requestReserve } from '../use-cases/request-reserve.js';
import { requestResolution } from '../use-cases/request-resolution.js';
import { getTimeline } from '../use-cases/timeline/get-timeline.js';
import type { TimelineDeps } from '../use-cases/timeline/ports.js';
import { accountRoutesOf } from './account-routes.js';
import { createOrderRoute } from './escrow-currency-routes.js';
import { milestoneRoutesOf } from './milestone-routes.js';
import { operatorRoutes, orderRoutes, type OperatorRoutesDeps } from './operator-routes.js';

export type RouteDeps = Deps & TimelineDeps;

/** Declared route → use case. */
export function routesOf(
  deps: RouteDeps,
  { escrowCurrencies, isStopped }: { readonly escrowCurrencies: readonly Currency[] } & Pick<OperatorRoutesDeps, 'isStopped'>,
): readonly BoundRoute[] {
  return [
    ...platformRoutesOf(deps, escrowCurrencies),
    ...milestoneRoutesOf(deps),
    ...accountRoutesOf(deps, escrowCurrencies),
    ...operatorRoutes({ deps, isStopped }),
  ];
}

function platformRoutesOf(deps: RouteDeps, escrowCurrencies: readonly Currency[]): readonly BoundRoute[] {
  const { listProjects, createProject, updateProject, initEscrow, releaseEscrow, ...ofPlatform } = orderRoutes;
  const { listMilestones, completeMilestone, submitMilestone, requestMilestoneChanges, ...withPayouts } = ofPlatform;
  const { extendMilestoneReview, releaseMilestone, refundMilestone, disputeMilestone, ...platform } = withPayouts;
  const declared = { ...platform, createOrder: createOrderRoute(escrowCurrencies) };
  return bindRoutes(declared, {
    createOrder: ({ body }, ctx) => createOrder(deps, body, ctx),
    listOrders: async ({ query }, ctx) => mapPage(await listOrders(deps, query, ctx), recordOf),
    listOrderTransfers: ({ params, query }, ctx) => listOrderTransfers(deps, { ...query, ...params }, ctx),
    getOrder: async ({ params }, ctx) => recordOf(await getOrder(deps, params, ctx)),
    getOrderTimeline: ({ params }, ctx) => getTimeline(deps, params, ctx),
    reserveOrder: ({ params }, ctx) => requestReserve(deps, params, ctx),
    cancelOrder: ({ params, body }, ctx) => requestCancel(deps, { ...body, ...params }, ctx),
    createEscrow: ({ params }, ctx) => requestEscrow(deps, params, ctx),
    fundEscrow: ({ params }, ctx) => requestFunding(deps, params, ctx),
    releaseOrder: ({ params, body }, ctx) => requestRelease(deps, { ...body, ...params }, ctx),
    refundOrder: ({ params, body }, ctx) => requestRefund(deps, { ...body, ...params }, ctx),
    // The body names an order too; the order in the path wins.
    openDispute: ({ params, body }, ctx) => openDispute(deps, { ...body, ...params }, ctx),
    listDisputes: ({ query: { overdue, ...filter } }, ctx) =>
      listDisputes(deps, { ...filter, overdue: overdue === undefined ? undefined : overdue === 'true' }, ctx),
    getDispute: async ({ params }, ctx) => disputeRecordIn(await getDispute(deps, params, ctx)),
    assignDispute: ({ params, body }, ctx) => assignDispute(deps, { ...body, ...params }, ctx),
    addDisputeEvidence: ({ params, body }, ctx) => addDisputeEvidence(deps, { ...body, ...params }, ctx),
    resolveDispute: ({ params, query, body }, ctx) =>
      query.preview === 'true'
        ? previewResolution(deps, { ...body, ...params }, ctx)
        : requestResolution(deps, { ...body, ...params }, ctx),
    addDisputeComment: ({ params, body }, ctx) => addDisputeComment(deps, { ...body, ...params }, ctx),
    listDisputeComments: ({ params, query }, ctx) => listDisputeComments(deps, { ...query, ...params }, ctx),
    getUserVersionInOrders: async ({ params }) => ({ version: await deps.users.knownVersion(params.id) }),
    getTestClockInOrders: ({ params }) => getTestClock(deps, params.marketplaceId),
  });
}
