import { routesOwnedBy } from '@holdfast/contracts/http';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import type { ProviderStatesReader } from '../providers/provider-states.js';
import { notBuilt } from '../use-cases/not-built.js';
import type { Deps } from '../use-cases/ports.js';

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
    createWithdrawal: notBuilt,
    listWithdrawals: notBuilt,
    getWithdrawal: notBuilt,
    commitWithdrawal: notBuilt,
    refreshWithdrawal: notBuilt,
    cancelWithdrawal: notBuilt,
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
