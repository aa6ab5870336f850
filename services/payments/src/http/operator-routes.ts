import { routesOwnedBy, type ProviderControls } from '@holdfast/contracts/http';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import { findRun, openRuns, redriveRun, requestedRuns } from '@holdfast/sagas';
import { latestReports } from '../use-cases/list-reports.js';
import { drivenRuns } from '../use-cases/open-runs.js';
import type { Deps } from '../use-cases/ports.js';
import { viewOfRun } from './run-view.js';

const { listPaymentSagaRuns, getPaymentSagaRun, redrivePaymentSagaRun, getControlsOfPayments, getLatestReports, ...otherRoutes } =
  routesOwnedBy('payments');

/** Bound in `routes.ts` and `sandbox-routes.ts`. */
export { otherRoutes };

export type OperatorRoutesDeps = { readonly deps: Deps; readonly controls: () => Promise<ProviderControls> };

/** Declared route → use case: what operators see and do. */
export function operatorRoutes({ deps, controls }: OperatorRoutesDeps): readonly BoundRoute[] {
  const declared = { listPaymentSagaRuns, getPaymentSagaRun, redrivePaymentSagaRun, getControlsOfPayments, getLatestReports };
  return bindRoutes(declared, {
    listPaymentSagaRuns: async ({ query }, { at }) => ({
      runs: (await openRuns(drivenRuns(deps), requestedRuns(query, at))).map(viewOfRun),
    }),
    getPaymentSagaRun: async ({ params }, ctx) => viewOfRun(await findRun(drivenRuns(deps), params, ctx)),
    redrivePaymentSagaRun: async ({ params, body }, ctx) => {
      const { id, aggregateId, saga } = await redriveRun(drivenRuns(deps), { ...body, ...params }, ctx);
      return { id, aggregateId, saga };
    },
    getControlsOfPayments: controls,
    getLatestReports: async () => ({ reports: [...(await latestReports(deps))] }),
  });
}
