import type { Context } from '@holdfast/kernel/context';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import { contractRoutes } from './wallet-routes.js';
import type { ProviderStatesReader } from '../providers/provider-states.js';
import { getCustodyBalances } from '../use-cases/custody/get-custody-balances.js';
import { getKnownUserVersion } from '../use-cases/get-known-user-version.js';
import { ignoreProviderEvent, receiveProviderEvent } from '../use-cases/receive-provider-event.js';
import { readNetworkOfRuns } from '../use-cases/network-of-runs.js';
import type { NetworkReader } from '../use-cases/timeline-ports.js';
import { requestPayoutCancellation } from '../use-cases/request-payout-cancellation.js';
import { resolvePayout } from '../use-cases/resolve-payout.js';
import { getResolution, resolveRun } from '../use-cases/resolve-run.js';
import { requestRemainingWithdrawal } from '../use-cases/request-remaining-withdrawal.js';
import type { Deps } from '../use-cases/ports.js';
import type { ResolutionDeps } from '../use-cases/resolution-ports.js';
import { readProviderEvent, type Received } from './provider-event.js';

/** A duplicate event gets the same response. */
const accepted = { status: 'ok', processed: true } as const;
const notProcessed = { status: 'ok', processed: false } as const;

type Options = {
  readonly deps: ResolutionDeps;
  readonly providers: Pick<ProviderStatesReader, 'states'>;
  readonly network: NetworkReader;
  readonly webhookSecret: string | undefined;
  /** What the treasury spends within an hour at most, in whole tokens. Undefined: no cap. */
  readonly spendingPerHourMax: number | undefined;
};

/** Declared route → use case. */
export function routesOf({ deps, providers, network, webhookSecret, spendingPerHourMax }: Options): readonly BoundRoute[] {
  return bindRoutes(contractRoutes, {
    receiveEscrowProviderEvent: async ({ body, countForAddress }, ctx) => {
      const received = readProviderEvent(body, webhookSecret, { ...deps.inbox, countForAddress });
      if (received === 'unknown type') return notProcessed;
      await receive(deps, received, ctx);
      return accepted;
    },
    getUserVersionInAdapter: ({ params }) => getKnownUserVersion(deps, params),
    getProviderStates: () => providers.states(),
    readNetworkOfRuns: ({ body }, ctx) => readNetworkOfRuns(network, body, ctx),
    findWalletByAddress: async ({ params }) => ({
      isOwn: await deps.wallets.isOwnAddress(params.address),
      payoutMax: spendingPerHourMax === undefined ? null : `${spendingPerHourMax}.00`,
    }),
    cancelLedgerPayout: async ({ params }, ctx) => ({ isRequested: await requestPayoutCancellation(deps, params, ctx) }),
    resolveLedgerPayout: async ({ params, body }, ctx) => {
      await resolvePayout(deps, { ...params, ...body }, ctx);
      return { isProved: true };
    },
    getCustodyBalances: async ({ body }) => {
      const { ledger, balances, moving } = await getCustodyBalances(deps, body.accounts);
      return { ledger, balances: [...balances], moving: [...moving] };
    },
    getSagaResolution: ({ params }) => getResolution(deps, { sagaRunId: params.id }),
    withdrawRemainingFunds: ({ params, body }, ctx) => requestRemainingWithdrawal(deps, { ...body, orderId: params.id }, ctx),
    resolveSagaRun: ({ params, body }, ctx) => resolveRun(deps, { ...body, sagaRunId: params.id }, ctx),
  });
}

async function receive(deps: Deps, received: Exclude<Received, string>, ctx: Context): Promise<void> {
  if (received.isReadable) await receiveProviderEvent(deps, received, ctx);
  else await ignoreProviderEvent(deps, received.event, ctx);
}
