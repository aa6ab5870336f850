import * as contract from '@holdfast/contracts/http';
import { handle, handleList, type BoundRoute } from '@holdfast/http/server';
import { mapPage } from '@holdfast/kernel/pages';
import { addDisputeComment } from '../use-cases/add-dispute-comment.js';
import { assignDispute } from '../use-cases/assign-dispute.js';
import { completeMilestone } from '../use-cases/complete-milestone.js';
import { createOrder } from '../use-cases/create-order.js';
import { getDispute } from '../use-cases/get-dispute.js';
import { getOrder } from '../use-cases/get-order.js';
import { listDisputeComments } from '../use-cases/list-dispute-comments.js';
import { listDisputes } from '../use-cases/list-disputes.js';
import { listMilestones } from '../use-cases/list-milestones.js';
import { listOrders } from '../use-cases/list-orders.js';
import { openDispute } from '../use-cases/open-dispute.js';
import { openRuns, redriveRun } from '../use-cases/open-runs.js';
import type { Deps } from '../use-cases/ports.js';
import { disputeRecordIn, recordOf, recordOfMilestone } from '../use-cases/records.js';
import { requestCancel } from '../use-cases/request-cancel.js';
import { requestEscrow } from '../use-cases/request-escrow.js';
import { requestFunding } from '../use-cases/request-funding.js';
import { requestRefund } from '../use-cases/request-refund.js';
import { requestRelease } from '../use-cases/request-release.js';
import { requestReserve } from '../use-cases/request-reserve.js';
import { requestResolution } from '../use-cases/request-resolution.js';
import { viewOfRun } from './run-view.js';

/** Declared route → use case. */
export function routesOf(deps: Deps): readonly BoundRoute[] {
  return [...orderRoutes(deps), ...resolutionRoutes(deps), ...disputeRoutes(deps), ...internalRoutes(deps)];
}

function orderRoutes(deps: Deps): readonly BoundRoute[] {
  return [
    handle(contract.createOrder, ({ body }, ctx) => createOrder(deps, body, ctx)),
    handleList(contract.listOrders, async ({ query }, ctx) => mapPage(await listOrders(deps, query, ctx), recordOf)),
    handle(contract.getOrder, async ({ params }, ctx) => recordOf(await getOrder(deps, params, ctx))),
    handle(contract.reserveOrder, ({ params }, ctx) => requestReserve(deps, params, ctx)),
    handle(contract.cancelOrder, ({ params, body }, ctx) => requestCancel(deps, { ...body, ...params }, ctx)),
    handleList(contract.listMilestones, async ({ params, query }, ctx) =>
      mapPage(await listMilestones(deps, { ...query, ...params }, ctx), recordOfMilestone),
    ),
    handle(contract.completeMilestone, ({ params }, ctx) => completeMilestone(deps, params, ctx)),
    handle(contract.createEscrow, ({ params }, ctx) => requestEscrow(deps, params, ctx)),
    handle(contract.fundEscrow, ({ params }, ctx) => requestFunding(deps, params, ctx)),
  ];
}

function resolutionRoutes(deps: Deps): readonly BoundRoute[] {
  return [
    handle(contract.releaseOrder, ({ params, body }, ctx) => requestRelease(deps, { ...body, ...params }, ctx)),
    handle(contract.refundOrder, ({ params, body }, ctx) => requestRefund(deps, { ...body, ...params }, ctx)),
    // The body names an order too; the order in the path wins.
    handle(contract.openDispute, ({ params, body }, ctx) => openDispute(deps, { ...body, ...params }, ctx)),
  ];
}

function disputeRoutes(deps: Deps): readonly BoundRoute[] {
  return [
    handleList(contract.listDisputes, ({ query }, ctx) => listDisputes(deps, query, ctx)),
    handle(contract.getDispute, async ({ params }, ctx) => disputeRecordIn(await getDispute(deps, params, ctx))),
    handle(contract.assignDispute, ({ params, body }, ctx) => assignDispute(deps, { ...body, ...params }, ctx)),
    handle(contract.resolveDispute, ({ params, body }, ctx) => requestResolution(deps, { ...body, ...params }, ctx)),
    handle(contract.addDisputeComment, ({ params, body }, ctx) => addDisputeComment(deps, { ...body, ...params }, ctx)),
    handleList(contract.listDisputeComments, ({ params, query }, ctx) => listDisputeComments(deps, { ...query, ...params }, ctx)),
  ];
}

function internalRoutes(deps: Deps): readonly BoundRoute[] {
  return [
    handle(contract.getUserVersionInOrders, async ({ params }) => ({ version: await deps.users.knownVersion(params.id) })),
    handle(contract.listSagaRuns, async (_, { at }) => {
      const runs = await openRuns(deps, { olderThanMs: 0, limitMax: contract.sagaRunsShownMax, at });
      return { runs: runs.map(viewOfRun) };
    }),
    handle(contract.redriveSagaRun, async ({ params }, ctx) => {
      const { id, orderId, saga } = await redriveRun(deps, params, ctx);
      return { id, orderId, saga };
    }),
  ];
}
