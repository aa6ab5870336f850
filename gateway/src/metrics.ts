import { serviceNames } from '@holdfast/contracts/services';
import { defineCounter, defineGauge, defineHistogram, type MetricDeclaration, type Metrics } from '@holdfast/observability';

const upstream = serviceNames;
const limits = ['key', 'address', 'route'] as const;
const idempotencyOutcomes = ['stored', 'replayed', 'conflict', 'mismatch'] as const;
const refusals = ['missing', 'invalid', 'scope'] as const;
const failures = ['unreachable', 'timeout', 'breaker'] as const;

const rateLimited = defineCounter(
  'holdfast_gateway_rate_limited_total',
  'Requests refused with 429, by the limit that they met',
  {
    limit: limits,
  },
);
const idempotency = defineCounter(
  'holdfast_gateway_idempotency_total',
  'Requests with an Idempotency-Key: response stored or replayed, refused while the first one runs, or refused for other content',
  { outcome: idempotencyOutcomes },
);
const credentialsRefused = defineCounter('holdfast_gateway_credentials_refused_total', 'Requests refused with 401 or 403', {
  reason: refusals,
});
const upstreamDuration = defineHistogram(
  'holdfast_gateway_upstream_duration_seconds',
  'Time from a forwarded request to the begin of the response of its service',
  { labels: { upstream }, buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60] },
);
const upstreamFailures = defineCounter(
  'holdfast_gateway_upstream_failures_total',
  'Forwarded requests without a response; breaker: not forwarded, because the circuit breaker was open',
  { upstream, reason: failures },
);
const upstreamBreakerOpen = defineGauge(
  'holdfast_gateway_upstream_breaker_open',
  'Whether requests for a service are refused at once, because it could not be reached',
  { upstream },
);
const openStreams = defineGauge('holdfast_gateway_open_streams', 'Event streams that pass through this gateway');

/** The metrics that only the gateway has. */
export const metrics: readonly MetricDeclaration[] = [
  rateLimited,
  idempotency,
  credentialsRefused,
  upstreamDuration,
  upstreamFailures,
  upstreamBreakerOpen,
  openStreams,
];

export type UpstreamFailure = (typeof failures)[number];

/** What the gateway counts and measures itself. */
export type GatewayMeasurement = {
  readonly rateLimited: (limit: (typeof limits)[number]) => void;
  readonly idempotency: (outcome: (typeof idempotencyOutcomes)[number]) => void;
  readonly credentialRefused: (reason: (typeof refusals)[number]) => void;
  readonly upstreamResponded: (upstream: string, seconds: number) => void;
  readonly upstreamFailed: (upstream: string, reason: UpstreamFailure) => void;
  readonly breakerChanged: (upstream: string, isOpen: boolean) => void;
  readonly openStreams: (count: number) => void;
};

export function createMeasurement(registered: Metrics): GatewayMeasurement {
  registered.register(metrics);
  const limited = registered.counter(rateLimited);
  const keys = registered.counter(idempotency);
  const refused = registered.counter(credentialsRefused);
  const durations = registered.histogram(upstreamDuration);
  const failed = registered.counter(upstreamFailures);
  const breakers = registered.gauge(upstreamBreakerOpen);
  const streams = registered.gauge(openStreams);
  return {
    rateLimited: (limit) => limited.inc({ limit }),
    idempotency: (outcome) => keys.inc({ outcome }),
    credentialRefused: (reason) => refused.inc({ reason }),
    upstreamResponded: (name, seconds) => durations.observe({ upstream: name }, seconds),
    upstreamFailed: (name, reason) => failed.inc({ upstream: name, reason }),
    breakerChanged: (name, isOpen) => breakers.set({ upstream: name }, isOpen ? 1 : 0),
    openStreams: (count) => streams.set(count),
  };
}
