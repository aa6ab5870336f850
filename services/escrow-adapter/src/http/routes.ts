import type { Context } from '@holdfast/kernel/context';
import { settlesWithin } from '@holdfast/kernel/async';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import { contractRoutes } from './wallet-routes.js';
import type { ProviderStatesReader } from '../providers/provider-states.js';
import { getCustodyBalances } from '../use-cases/custody/get-custody-balances.js';
import { getKnownUserVersion } from '../use-cases/get-known-user-version.js';
import { handleProviderEvent } from '../use-cases/handle-provider-event.js';
import { requestPayoutCancellation } from '../use-cases/request-payout-cancellation.js';
import { resolvePayout } from '../use-cases/resolve-payout.js';
import { getResolution, resolveRun } from '../use-cases/resolve-run.js';
import { storeIgnoredEvent } from '../use-cases/store-ignored-event.js';
import { storeProviderEvent } from '../use-cases/store-provider-event.js';
import type { StoredEvent } from '../use-cases/event-ports.js';
import type { Deps } from '../use-cases/ports.js';
import type { ResolutionDeps } from '../use-cases/resolution-ports.js';
import { readProviderEvent, type Received } from './provider-event.js';

/** A duplicate event gets the same response. */
const accepted = { status: 'ok', processed: true } as const;
const notProcessed = { status: 'ok', processed: false } as const;

type Options = {
  readonly deps: ResolutionDeps;
  readonly providers: Pick<ProviderStatesReader, 'states'>;
  readonly webhookSecret: string | undefined;
  /** What the treasury spends within an hour at most, in whole tokens. Undefined: no cap. */
  readonly spendingPerHourMax: number | undefined;
};

/** Declared route → use case. */
export function routesOf({ deps, providers, webhookSecret, spendingPerHourMax }: Options): readonly BoundRoute[] {
  return bindRoutes(contractRoutes, {
    receiveEscrowProviderEvent: async ({ body, countForAddress }, ctx) => {
      const received = readProviderEvent(body, webhookSecret, countForAddress);
      if (received === 'unknown type') return notProcessed;
      await receive(deps, received, ctx);
      return accepted;
    },
    getUserVersionInAdapter: ({ params }) => getKnownUserVersion(deps, params),
    getProviderStates: () => providers.states(),
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
    resolveSagaRun: ({ params, body }, ctx) => resolveRun(deps, { ...body, sagaRunId: params.id }, ctx),
  });
}

async function receive(deps: Deps, received: Exclude<Received, string>, ctx: Context): Promise<void> {
  if (!received.isReadable) return storeIgnoredEvent(deps, received.event, ctx);
  const stored = await storeProviderEvent(deps, received, ctx);
  if (stored !== undefined) await handleInTime(deps, stored);
}

/** The provider times out after 15 s. The event is stored by then, so the response need not wait for its handling. */
const handlingMsMax = 5_000;

/** Most events are done when they are stored. The `provider-events` job retries the others. */
async function handleInTime(deps: Deps, stored: StoredEvent): Promise<void> {
  const handling = handleProviderEvent(deps, stored);
  if (stored.isDone) await handling;
  else await settlesWithin(handling, handlingMsMax);
}
