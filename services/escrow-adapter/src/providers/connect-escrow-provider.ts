import type { ControlledProvider } from '@holdfast/contracts/http';
import { measureProvider } from '@holdfast/http/provider-calls';
import { createProviderBudget } from '@holdfast/intents/provider-controls';
import type { ServiceRuntime } from '@holdfast/service-kit';
import type { Settings } from '../config.js';
import { indexerFailures } from '../metrics.js';
import type { EscrowProvider } from '../use-cases/ports.js';
import { createEscrowProvider } from './escrow-provider.js';
import { isSandbox } from './provider-states.js';

/** What an operator sees of the calls of this process. */
export type DescribeCalls = () => Pick<ControlledProvider, 'name' | 'breaker' | 'budget'>;

const name = 'escrow-provider';

/** The client of the escrow provider, with its call budget and its metrics. */
export function connectEscrowProvider({
  config,
  database,
  metrics,
  lifecycle,
}: ServiceRuntime<Settings>): EscrowProvider & { readonly describeCalls: DescribeCalls } {
  const budget = createProviderBudget({ database, name, ...budgetOf(config), windowMs: 60_000 });
  const measurement = measureProvider(metrics, name, budgetOf(config).callsMax);
  const failures = metrics.counter(indexerFailures);
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
  return { ...provider, describeCalls: () => ({ name, breaker: measurement.breakerState(), budget: budget.describe() }) };
}

const realProviderCallsMax = 50;

/** The sandbox has no rate limit, so its budget is unlimited unless the setting names one. */
function budgetOf({ ESCROW_PROVIDER_URL, ESCROW_PROVIDER_CALLS_PER_MINUTE: set }: Settings): { readonly callsMax?: number } {
  const callsMax = set ?? (isSandbox(ESCROW_PROVIDER_URL) ? 0 : realProviderCallsMax);
  return callsMax === 0 ? {} : { callsMax };
}
