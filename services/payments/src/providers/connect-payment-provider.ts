import { createProviderBudget, type ProviderBudget } from '@holdfast/intents';
import type { ServiceRuntime } from '@holdfast/service-host';
import type { Settings } from '../config.js';
import type { PaymentProvider } from '../use-cases/provider-ports.js';
import { createPaymentProvider } from './payment-provider.js';
import { isSandbox } from './provider-states.js';

/** The payment provider of the settings, with its budget and its gauges. */
export function connectPaymentProvider({ config, database, metrics, lifecycle }: ServiceRuntime<Settings>): PaymentProvider {
  const budget = createProviderBudget({ database, name: 'payment-provider', ...budgetOf(config), windowMs: 1_000 });
  const budgetLeft = metrics.gauge('holdfast_provider_budget_calls', 'Calls left in the budget of a provider', ['provider']);
  const breakerOpen = metrics.gauge('holdfast_provider_breaker_open', 'Whether the circuit breaker of a provider is open', [
    'provider',
  ]);
  const provider = createPaymentProvider({
    baseUrl: config.PAYMENT_PROVIDER_URL,
    key: config.PAYMENT_PROVIDER_KEY,
    secret: config.PAYMENT_PROVIDER_SECRET,
    budget: measured(budget, (left) => budgetLeft.set({ provider: 'payment-provider' }, left)),
    onBreakerChange: (state) => breakerOpen.set({ provider: 'payment-provider' }, state === 'closed' ? 0 : 1),
  });
  lifecycle.onStop('payment provider client', provider.close);
  return provider;
}

const realProviderCallsMax = 10;

/** The sandbox has no rate limit, so its budget is unlimited unless the setting names one. */
function budgetOf({ PAYMENT_PROVIDER_URL, PAYMENT_PROVIDER_CALLS_PER_SECOND: set }: Settings): { readonly callsMax?: number } {
  const callsMax = set ?? (isSandbox(PAYMENT_PROVIDER_URL) ? 0 : realProviderCallsMax);
  return callsMax === 0 ? {} : { callsMax };
}

function measured(budget: ProviderBudget, onTaken: (left: number) => void): Pick<ProviderBudget, 'take' | 'empty'> {
  return {
    take: async (call) => {
      await budget.take(call);
      onTaken(budget.left() ?? 0);
    },
    empty: budget.empty,
  };
}
