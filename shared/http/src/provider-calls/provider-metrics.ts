import { performance } from 'node:perf_hooks';
import { errorCatalogue, isAppError } from '@holdfast/kernel/errors';
import { defineGauge, defineHistogram, withValues, type MetricDeclaration, type Metrics } from '@holdfast/observability';
import type { BreakerState } from '../breaker/index.js';
import { HttpStatusError } from '../client/index.js';

const callOutcomes = ['ok', 'refused', 'failed', 'timeout', 'breaker'] as const;
type CallOutcome = (typeof callOutcomes)[number];

const provider = 'the outside systems that the service calls';
const callDuration = defineHistogram(
  'holdfast_provider_call_duration_seconds',
  'Time of a call to an outside system, without the wait for its budget; breaker: not made, because the circuit breaker was open',
  {
    labels: { provider, operation: "the operations of the provider's client", outcome: callOutcomes },
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
);
const breakerOpen = defineGauge(
  'holdfast_provider_breaker_open',
  'Whether the circuit breaker of an outside system is open, or lets a single call through to try',
  { provider },
);
const budgetCalls = defineGauge(
  'holdfast_provider_budget_calls',
  'Calls left in the budget of an outside system, as of the last call of this process; 0 where there is no limit',
  { provider },
);
const budgetCallsMax = defineGauge(
  'holdfast_provider_budget_calls_max',
  'Calls that the budget of an outside system holds at most; 0 where there is no limit',
  { provider },
);

/** The metrics of a service that calls these outside systems, each with the operations of its client. */
export function providerMetrics(operations: Readonly<Record<string, readonly string[]>>): readonly MetricDeclaration[] {
  const providers = { provider: Object.keys(operations) };
  return [
    ...Object.entries(operations).map(([name, operation]) => withValues(callDuration, { provider: [name], operation })),
    withValues(breakerOpen, providers),
    withValues(budgetCalls, providers),
    withValues(budgetCallsMax, providers),
  ];
}

export type ProviderMeasurement = {
  readonly call: <Result>(operation: string, call: () => Promise<Result>) => Promise<Result>;
  readonly onBreakerChange: (state: BreakerState) => void;
  /** The circuit breaker of this process. */
  readonly breakerState: () => BreakerState;
  /** Undefined where the budget has no limit. */
  readonly onBudget: (callsLeft: number | undefined) => void;
};

/** Measures the calls of one outside system. */
export function measureProvider(metrics: Metrics, name: string, callsMax?: number): ProviderMeasurement {
  const durations = metrics.histogram(callDuration);
  const breakers = metrics.gauge(breakerOpen);
  const left = metrics.gauge(budgetCalls);
  metrics.gauge(budgetCallsMax).set({ provider: name }, callsMax ?? 0);
  left.set({ provider: name }, callsMax ?? 0);
  let breakerState: BreakerState = 'closed';
  return {
    call: async (operation, call) => {
      const startedAt = performance.now();
      const observe = (outcome: CallOutcome): void =>
        durations.observe({ provider: name, operation, outcome }, (performance.now() - startedAt) / 1_000);
      try {
        const result = await call();
        observe('ok');
        return result;
      } catch (error) {
        observe(outcomeOf(error));
        throw error;
      }
    },
    onBreakerChange: (state) => {
      breakerState = state;
      breakers.set({ provider: name }, state === 'closed' ? 0 : 1);
    },
    breakerState: () => breakerState,
    onBudget: (callsLeft) => left.set({ provider: name }, callsLeft ?? 0),
  };
}

const refusalMin = 400;
const refusalMax = 499;

function outcomeOf(error: unknown): CallOutcome {
  if (isBreakerOpen(error)) return 'breaker';
  if (isAppError(error, 'PROVIDER_TIMEOUT')) return 'timeout';
  const status = statusOf(error);
  return status !== undefined && status >= refusalMin && status <= refusalMax ? 'refused' : 'failed';
}

function isBreakerOpen(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'EOPENBREAKER';
}

/** Clients of others have the response of an HTTP error as `response`. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpStatusError) return error.status;
  if (isAppError(error)) return errorCatalogue[error.code].status;
  const response: unknown = error instanceof Error && 'response' in error ? error.response : undefined;
  if (typeof response !== 'object' || response === null || !('status' in response)) return undefined;
  return typeof response.status === 'number' ? response.status : undefined;
}
