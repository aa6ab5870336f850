import { routesOwnedBy } from '@holdfast/contracts/http';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import { requestedRuns } from '@holdfast/sagas';
import { findRunOfOrder, openRunsOfOrders, redriveRunOfOrder } from '../use-cases/open-runs.js';
import type { Deps } from '../use-cases/ports.js';
import { viewOfRun } from './run-view.js';

const { listSagaRuns, getSagaRun, redriveSagaRun, getControlsOfOrders, ...orderRoutes } = routesOwnedBy('orders');

/** Bound in `routes.ts` and the files that it names. */
export { orderRoutes };

export type OperatorRoutesDeps = {
  readonly deps: Deps;
  /** The emergency stop, as this service knows it. */
  readonly isStopped: () => Promise<boolean>;
};

/** Declared route → use case: what operators see and do. Orders calls no provider. */
export function operatorRoutes({ deps, isStopped }: OperatorRoutesDeps): readonly BoundRoute[] {
  return bindRoutes(
    { listSagaRuns, getSagaRun, redriveSagaRun, getControlsOfOrders },
    {
      listSagaRuns: async ({ query }, { at }) => ({
        runs: (await openRunsOfOrders(deps, requestedRuns(query, at))).map(viewOfRun),
      }),
      getSagaRun: async ({ params }, ctx) => viewOfRun(await findRunOfOrder(deps, params, ctx)),
      redriveSagaRun: ({ params, body }, ctx) => redriveRunOfOrder(deps, { ...body, ...params }, ctx),
      getControlsOfOrders: async () => ({ isStopped: await isStopped(), providers: [], caps: [] }),
    },
  );
}
