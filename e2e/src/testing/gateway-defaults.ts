import { createMetrics } from '@holdfast/observability';

/** Settings of a gateway that a suite starts in its own process; the rate limit is counted in Postgres, as in a deployment. */
export function gatewayDefaults() {
  return {
    version: '1.0.0',
    proxyTimeoutMs: 10_000,
    poolMax: 4,
    metrics: createMetrics({ service: 'gateway', processMetrics: false }),
    rateLimitWindowSeconds: 600,
    rateLimitStore: 'postgres',
    rateLimitRoutes: '',
    operatorRoutes: 'off',
    eventStreamsMax: 0,
    eventStreamsTotalMax: 20_000,
    topupAmountMin: '1.00',
    topupAmountMax: '10000.00',
    withdrawalAmountMin: '1.00',
    withdrawalAmountMax: '5000.00',
    orderAmountMin: '1.00',
    orderAmountMax: '50000.00',
    escrowCurrencies: ['USD', 'USDC', 'XLM'],
    trustedProxyHops: 0,
    corsOrigins: '',
    console: 'on',
  } as const;
}
