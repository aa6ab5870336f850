import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import { mapPage } from '@holdfast/kernel/pages';
import type { ProviderStatesReader } from '../providers/provider-states.js';
import { cancelTopup } from '../use-cases/cancel-topup.js';
import { createTopup } from '../use-cases/create-topup.js';
import { getTestClock } from '../use-cases/get-test-clock.js';
import { getTopup } from '../use-cases/get-topup.js';
import { linkPaymentAccount } from '../use-cases/link-payment-account.js';
import { listTopups } from '../use-cases/list-topups.js';
import type { Deps } from '../use-cases/ports.js';
import { refreshTopup } from '../use-cases/refresh-topup.js';
import { returnFromTopup } from '../use-cases/return-from-topup.js';
import type { PaymentWebhooks } from './payment-webhooks.js';
import { operatorRoutes, type OperatorRoutesDeps } from './operator-routes.js';
import { paymentRoutes, sandboxRoutes, type SandboxRoutesDeps } from './sandbox-routes.js';
import { pageOfReturn } from './return-page-view.js';
import { viewOfAccount, viewOfRefresh, viewOfTopup } from './topup-view.js';
import { cancelWithdrawal } from '../use-cases/cancel-withdrawal.js';
import { commitWithdrawal } from '../use-cases/commit-withdrawal.js';
import { getWithdrawal } from '../use-cases/get-withdrawal.js';
import { listWithdrawals } from '../use-cases/list-withdrawals.js';
import { refreshWithdrawal } from '../use-cases/refresh-withdrawal.js';
import { requestWithdrawal } from '../use-cases/request-withdrawal.js';
import { viewOfWithdrawal } from './withdrawal-view.js';
import { createReports } from '../use-cases/create-reports.js';
import { listReports } from '../use-cases/list-reports.js';
import { refreshUserPayments } from '../use-cases/refresh-user-payments.js';
import { listCases } from '../use-cases/list-cases.js';
import { resolvePayment } from '../use-cases/resolve-payment.js';
import { requestCaseResolution } from '../use-cases/request-case-resolution.js';
import { viewOfCase } from './case-view.js';

type Options = OperatorRoutesDeps &
  SandboxRoutesDeps & {
    readonly deps: Deps;
    readonly providers: Pick<ProviderStatesReader, 'states'>;
    readonly webhooks: Pick<PaymentWebhooks, 'receive'>;
  };

/** Declared route → use case. */
export function routesOf(options: Options): readonly BoundRoute[] {
  return [...routesOfPayments(options), ...operatorRoutes(options), ...sandboxRoutes(options)];
}

function routesOfPayments({ deps, providers, webhooks }: Options): readonly BoundRoute[] {
  return bindRoutes(paymentRoutes, {
    linkPaymentAccount: async ({ params, body }, ctx) =>
      viewOfAccount(await linkPaymentAccount(deps, { ...body, ...params }, ctx)),
    createTopup: async ({ body }, ctx) => viewOfTopup(await createTopup(deps, body, ctx)),
    listTopups: async ({ query }, ctx) => mapPage(await listTopups(deps, query, ctx), viewOfTopup),
    getTopup: async ({ params }, ctx) => viewOfTopup(await getTopup(deps, params, ctx)),
    refreshTopup: async ({ params }, ctx) => viewOfTopup(await refreshTopup(deps, params, ctx)),
    cancelTopup: async ({ params, body }, ctx) => viewOfTopup(await cancelTopup(deps, { ...body, ...params }, ctx)),
    returnFromTopup: async ({ params, query }, ctx) => pageOfReturn(await returnFromTopup(deps, { ...query, ...params }, ctx)),
    createWithdrawal: async ({ body }, ctx) => viewOfWithdrawal(await requestWithdrawal(deps, body, ctx)),
    listWithdrawals: async ({ query }, ctx) => mapPage(await listWithdrawals(deps, query, ctx), viewOfWithdrawal),
    getWithdrawal: async ({ params }, ctx) => viewOfWithdrawal(await getWithdrawal(deps, params, ctx)),
    commitWithdrawal: async ({ params }, ctx) => viewOfWithdrawal(await commitWithdrawal(deps, params, ctx)),
    refreshWithdrawal: async ({ params }, ctx) => viewOfWithdrawal(await refreshWithdrawal(deps, params, ctx)),
    cancelWithdrawal: async ({ params, body }, ctx) =>
      viewOfWithdrawal(await cancelWithdrawal(deps, { ...body, ...params }, ctx)),
    listReconciliationCases: async ({ query }, ctx) => mapPage(await listCases(deps, query, ctx), viewOfCase),
    resolveReconciliationCase: async ({ params, body }, ctx) => {
      const { isPending, found } = await requestCaseResolution(deps, { ...body, ...params }, ctx);
      return { isPending, data: viewOfCase(found) };
    },
    listReconciliationReports: ({ query }) => listReports(deps, query),
    createReconciliationReports: (_, ctx) => createReports(deps, ctx),
    receivePaymentProviderEvent: ({ body, countForAddress }, ctx) => webhooks.receive(body, ctx, countForAddress),
    refreshUserPayments: async ({ params }, ctx) => viewOfRefresh(await refreshUserPayments(deps, params, ctx)),
    getPaymentProviderState: () => providers.states(),
    getTestClockInPayments: ({ params }) => getTestClock(deps, params.marketplaceId),
    resolvePayment: ({ params, body }, ctx) => resolvePayment(deps, { ...params, ...body }, ctx),
    getUserVersionInPayments: async ({ params }) => ({ version: await deps.users.knownVersion(params.id) }),
  });
}
