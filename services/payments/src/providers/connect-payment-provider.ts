import type { ControlledProvider } from '@holdfast/contracts/http';
import { measureProvider } from '@holdfast/http/provider-calls';
import { createProviderBudget, type ProviderBudget } from '@holdfast/intents/provider-controls';
import type { ServiceRuntime } from '@holdfast/service-kit';
import type { Settings } from '../config.js';
import { paymentProvider } from '../metrics.js';
import type { PaymentProvider } from '../use-cases/provider-ports.js';
import { createPaymentProvider } from './payment-provider.js';
import { isSandbox } from './provider-states.js';

/** What an operator sees of the calls of this process. */
export type DescribeCalls = () => Pick<ControlledProvider, 'name' | 'breaker' | 'budget'>;

/** The payment provider of the settings, with its budget and its metrics. */
export function connectPaymentProvider(
  { config, database, metrics, lifecycle }: ServiceRuntime<Settings>,
  timeoutMs: number,
): { readonly provider: PaymentProvider; readonly describeCalls: DescribeCalls } {
  const { callsMax } = budgetOf(config);
  const measurement = measureProvider(metrics, paymentProvider, callsMax);
  const budget = createProviderBudget({ database, name: paymentProvider, ...budgetOf(config), windowMs: 1_000 });
  const provider = createPaymentProvider({
    baseUrl: config.PAYMENT_PROVIDER_URL,
    key: config.PAYMENT_PROVIDER_KEY,
    secret: config.PAYMENT_PROVIDER_SECRET,
    budget: measured(budget, measurement.onBudget),
    measurement,
    timeoutMs,
  });
  lifecycle.onStop('payment provider client', provider.close);
  const describeCalls: DescribeCalls = () => ({
    name: paymentProvider,
    breaker: measurement.breakerState(),
    budget: budget.describe(),
  });
  return { provider, describeCalls };
}

const realProviderCallsMax = 10;

/** The sandbox has no rate limit, so its budget is unlimited unless the setting names one. */
function budgetOf({ PAYMENT_PROVIDER_URL, PAYMENT_PROVIDER_CALLS_PER_SECOND: set }: Settings): { readonly callsMax?: number } {
  const callsMax = set ?? (isSandbox(PAYMENT_PROVIDER_URL) ? 0 : realProviderCallsMax);
  return callsMax === 0 ? {} : { callsMax };
}

function measured(budget: ProviderBudget, onTaken: (left: number | undefined) => void): Pick<ProviderBudget, 'take' | 'empty'> {
  return {
    take: async (call) => {
      await budget.take(call);
      onTaken(budget.left());
    },
    empty: budget.empty,
  };
}
