import { routesOwnedBy } from '@holdfast/contracts/http';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import { mapPage } from '@holdfast/kernel/pages';
import type { ProviderStatesReader } from '../providers/provider-states.js';
import { cancelWithdrawal } from '../use-cases/cancel-withdrawal.js';
import { commitWithdrawal } from '../use-cases/commit-withdrawal.js';
import { getWithdrawal } from '../use-cases/get-withdrawal.js';
import { listWithdrawals } from '../use-cases/list-withdrawals.js';
import { notBuilt } from '../use-cases/not-built.js';
import type { Deps } from '../use-cases/ports.js';
import { refreshWithdrawal } from '../use-cases/refresh-withdrawal.js';
import { requestWithdrawal } from '../use-cases/request-withdrawal.js';
import { viewOfWithdrawal } from './withdrawal-view.js';

type Options = { readonly deps: Deps; readonly providers: Pick<ProviderStatesReader, 'states'> };

/** Declared route → use case. */
export function routesOf({ deps, providers }: Options): readonly BoundRoute[] {
  return bindRoutes(routesOwnedBy('payments'), {
    linkPaymentAccount: notBuilt,
    createTopup: notBuilt,
    listTopups: notBuilt,
    getTopup: notBuilt,
    refreshTopup: notBuilt,
    cancelTopup: notBuilt,
    returnFromTopup: notBuilt,
    createWithdrawal: async ({ body }, ctx) => viewOfWithdrawal(await requestWithdrawal(deps, body, ctx)),
    listWithdrawals: async ({ query }, ctx) => mapPage(await listWithdrawals(deps, query, ctx), viewOfWithdrawal),
    getWithdrawal: async ({ params }, ctx) => viewOfWithdrawal(await getWithdrawal(deps, params, ctx)),
    commitWithdrawal: async ({ params }, ctx) => viewOfWithdrawal(await commitWithdrawal(deps, params, ctx)),
    refreshWithdrawal: async ({ params }, ctx) => viewOfWithdrawal(await refreshWithdrawal(deps, params, ctx)),
    cancelWithdrawal: async ({ params, body }, ctx) =>
      viewOfWithdrawal(await cancelWithdrawal(deps, { ...body, ...params }, ctx)),
    listReconciliationCases: notBuilt,
    resolveReconciliationCase: notBuilt,
    listReconciliationReports: notBuilt,
    createReconciliationReports: notBuilt,
    receivePaymentProviderEvent: notBuilt,
    refreshUserPayments: notBuilt,
    getPaymentProviderState: () => providers.states(),
    getUserVersionInPayments: async ({ params }) => ({ version: await deps.users.knownVersion(params.id) }),
  });
}
