import { knownUsers } from '@holdfast/service-kit/known-users';
import { measureProvider } from '@holdfast/http/provider-calls';
import { createServiceClient } from '@holdfast/http/service-client';
import { settlementTimeoutMsOf } from '@holdfast/process/config';
import { defineService, type ServiceRuntime } from '@holdfast/service-kit';
import type { Job } from '@holdfast/work';
import { createAdapter, type Adapter, type AdapterOptions } from './adapter.js';
import { settings, type Settings } from './config.js';
import { routesOf } from './http/routes.js';
import { createEmergencyStop, createProviderBudget } from '@holdfast/intents/provider-controls';
import { createLeases } from '@holdfast/intents/leases';
import { intentsMigrations, openIntentsMeasurement } from '@holdfast/intents';
import { createLineCheck } from './ledger-rpc/check-lines.js';
import { createLedgerRpc } from './ledger-rpc/ledger-rpc.js';
import { consumersOf } from './messages/consumers.js';
import * as declared from './metrics.js';
import { createEscrowProvider } from './providers/escrow-provider.js';
import { isSandbox, createProviderStates } from './providers/provider-states.js';
import { contractExpectations, tokenContracts } from './signing/contract-expectations.js';
import { contractNetworkOf, type ContractSettings } from './signing/settings.js';
import { contractStore } from './store/contract-store.js';
import { entities } from './store/schema.js';
import { checkContracts } from './use-cases/check-contracts.js';
import { extendCode } from './use-cases/extend-lifetimes.js';
import { giveUpAfterMsOf } from './use-cases/intent-deadlines.js';
import { handleDueEvents } from './use-cases/handle-provider-event.js';
import { intentKinds } from './use-cases/ports.js';
import { treasurySpending } from './treasury-spending.js';
import { createWallets } from './wallets/create-wallets.js';

/** Holds wallets and keys, and executes escrow contracts at the escrow provider and on the ledger network. */
export const escrowAdapter = escrowAdapterWith({});

/** The service with limits of its own; only tests have them. */
export function escrowAdapterWith(limits: Pick<AdapterOptions, 'handlerLimits' | 'submissionLimits'>) {
  return defineService({
    name: 'escrow-adapter',
    sharedMigrations: [intentsMigrations],
    migrations: new URL('../migrations', import.meta.url),
    settings,
    entities,
    metrics: declared.metrics,
    create: async (runtime) => {
      const leases = createLeases(runtime);
      runtime.lifecycle.onStop('leases of source accounts', leases.stop);
      const isStoppedBySetting = runtime.config.EMERGENCY_STOP;
      const emergencyStop = createEmergencyStop({ ...runtime, service: 'escrow-adapter', isStoppedBySetting });
      const rpc = createLedgerRpc({
        url: runtime.config.LEDGER_RPC_URL,
        networkPassphrase: runtime.config.LEDGER_NETWORK_PASSPHRASE,
        measurement: measureProvider(runtime.metrics, 'ledger-rpc'),
      });
      runtime.lifecycle.onStop('ledger network client', rpc.close);
      const lines = createLineCheck({ rpc, network: contractNetworkOf(runtime.config), log: runtime.log });
      await lines.start();
      const beginSpending = treasurySpending(runtime, runtime.config.TREASURY_SPENDING_PER_HOUR_MAX);
      const contracts = contractRecognition(runtime);
      const walletsModule = await createWallets(runtime, { leases, emergencyStop, rpc, beginSpending, contracts, ...limits });
      const guards = { leases, emergencyStop, beginSpending, rpc, assertLinesChecked: lines.assertChecked };
      const adapter = createAdapter({ ...adapterOptionsOf(runtime), ...guards, ...limits, runtime, walletsModule });
      runtime.lifecycle.onStop('intent worker', adapter.worker.stop);
      adapter.worker.start();
      const providers = createProviderStates({
        escrowProvider: runtime.config.ESCROW_PROVIDER_URL,
        ledgerNetwork: runtime.config.LEDGER_HORIZON_URL,
      });
      return {
        routes: [
          ...routesOf({
            providers,
            webhookSecret: runtime.config.ESCROW_WEBHOOK_SECRET,
            spendingPerHourMax: runtime.config.TREASURY_SPENDING_PER_HOUR_MAX,
            deps: adapter.deps,
          }),
          ...walletsModule.routes,
        ],
        consumers: consumersOf(adapter.deps),
        jobs: [...jobsOf(runtime, adapter), ...walletsModule.jobs, providers.job, emergencyStop.job, lines.job],
      };
    },
  });
}

function adapterOptionsOf({ config, database, clock, metrics, lifecycle, signer }: ServiceRuntime<Settings>) {
  const budget = createProviderBudget({ database, name: 'escrow-provider', ...budgetOf(config), windowMs: 60_000 });
  const measurement = measureProvider(metrics, 'escrow-provider', budgetOf(config).callsMax);
  const failures = metrics.counter(declared.indexerFailures);
  const provider = createEscrowProvider({
    baseUrl: config.ESCROW_PROVIDER_URL,
    apiKey: config.ESCROW_PROVIDER_API_KEY,
    assets: { USDC: config.USDC_ISSUER, XLM: 'native' },
    budget: {
      take: async (call) => {
        await budget.take(call).finally(() => measurement.onBudget(budget.left()));
      },
      empty: budget.empty,
    },
    onIndexerFailure: () => failures.inc(),
    measurement,
  });
  lifecycle.onStop('escrow provider client', provider.close);
  const identity = createServiceClient({ from: 'escrow-adapter', to: 'identity', baseUrl: config.IDENTITY_URL, signer });
  lifecycle.onStop('identity client', identity.close);
  const users = knownUsers({ service: 'escrow-adapter', database, identity, clock });
  return {
    provider,
    users,
    contractNetwork: contractNetworkOf(config),
    usdcIssuer: config.USDC_ISSUER,
    approvalAmount: config.SAGA_RESOLVE_APPROVAL_AMOUNT,
    resolvableAfterMs: config.SAGA_ABORT_AFTER_MS,
    deadlines: { giveUpAfterMs: giveUpAfterMsOf(settlementTimeoutMsOf(config)), waitMsMax: config.SAGA_ABORT_AFTER_MS },
    workerLimits: { runningMax: config.ESCROW_INTENTS_CONCURRENT_MAX, stopGraceMs: lifecycle.stopGraceMs },
  };
}

type RecognitionSettings = ContractSettings & Pick<Settings, 'LEDGER_NETWORK_PASSPHRASE' | 'USDC_ISSUER'>;
type RecognitionRuntime = Pick<ServiceRuntime, 'database'> & { readonly config: RecognitionSettings };

/** What shows that a contract on the network is that of an order. */
export function contractRecognition({ config, database }: RecognitionRuntime) {
  const tokens = tokenContracts(config.LEDGER_NETWORK_PASSPHRASE, config.USDC_ISSUER);
  return { expectations: contractExpectations(contractNetworkOf(config), tokens), contracts: contractStore(database) };
}

/** The sandbox has no rate limit, so its budget is unlimited unless the setting names one. */
function budgetOf({ ESCROW_PROVIDER_URL, ESCROW_PROVIDER_CALLS_PER_MINUTE: set }: Settings): { readonly callsMax?: number } {
  const callsMax = set ?? (isSandbox(ESCROW_PROVIDER_URL) ? 0 : realProviderCallsMax);
  return callsMax === 0 ? {} : { callsMax };
}

const realProviderCallsMax = 50;
const eventsEveryMs = 1_000;
const checkRunsPerPeriod = 10;
const extendCodeEveryMs = 21_600_000;
const pruneEveryMs = 3_600_000;

function jobsOf({ config, metrics }: ServiceRuntime<Settings>, { deps, intents }: Adapter): readonly Job[] {
  const checkEveryMs = config.ESCROW_CHECK_EVERY_MS;
  return [
    { name: 'provider-events', everyMs: eventsEveryMs, run: () => handleDueEvents(deps) },
    {
      name: 'check-contracts',
      everyMs: Math.ceil(checkEveryMs / checkRunsPerPeriod),
      run: () => checkContracts(deps, checkEveryMs),
    },
    { name: 'prune-provider-events', everyMs: pruneEveryMs, run: (signal) => deps.events.prune(signal) },
    { name: 'extend-code', everyMs: extendCodeEveryMs, run: () => extendCode(deps) },
    openIntentsMeasurement(intents, { kinds: Object.keys(intentKinds), metrics }),
  ];
}
