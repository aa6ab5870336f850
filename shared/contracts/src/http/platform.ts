import { z } from 'zod';
import { currencies } from '@holdfast/kernel/money';
import { amountOut, currency, instant, noBody, noParams, noQuery } from '../shapes/index.js';
import { route } from './route.js';

/** Served by the gateway itself, without a credential. */
const ofPlatform = {
  service: 'gateway',
  method: 'get',
  auth: 'public',
  idempotent: false,
  family: 'plain',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  query: noQuery,
  body: noBody,
  errors: [],
} as const;

const range = z.object({ min: amountOut, max: amountOut });

/** Limits of the amount of one operation, in the base currency. */
export const amountLimits = {
  topup: { min: '1.00', max: '10000.00' },
  withdrawal: { min: '1.00', max: '5000.00' },
  order: { min: '1.00', max: '50000.00' },
} as const;

export const platformFeePercentDefault = 5;

const version = z.string().meta({ description: 'Platform version', example: '1.4.0' });
const provider = z
  .enum(['none', 'sandbox', 'live'])
  .meta({ description: 'Which environment of the provider is connected', example: 'sandbox' });
const isThere = z.boolean().meta({ example: true });

export const platformConfig = z
  .object({
    currencies: z.array(currency).meta({ example: [...currencies] }),
    baseCurrency: currency,
    escrowCurrencies: z.array(currency).meta({
      description: 'The currencies that an order may have: those that the escrow contracts can hold',
      example: [...currencies],
    }),
    limits: z.object({ topup: range, withdrawal: range, order: range }),
    platformFeePercent: z
      .number()
      .meta({ description: 'Default platform fee, as a percentage of the order amount', example: platformFeePercentDefault }),
    rateLimit: z.object({
      limit: z.int().meta({ description: 'Requests allowed per window; 0 means unlimited', example: 100 }),
      windowSeconds: z.int().meta({ description: 'Length of the window in seconds', example: 60 }),
    }),
    features: z.object({
      users: isThere,
      balances: isThere,
      orders: isThere,
      wallets: isThere,
      payments: isThere,
      events: isThere,
    }),
    providers: z.object({ payment: provider, escrow: provider, ledgerNetwork: provider }),
    version,
  })
  .meta({ id: 'PlatformConfig' });
export type PlatformConfigView = z.infer<typeof platformConfig>;

export const health = z.object({ status: z.literal('healthy'), version, timestamp: instant }).meta({ id: 'Health' });

const healthStatus = z.enum(['healthy', 'degraded', 'unhealthy']);

export const dependencyHealth = z
  .object({
    status: healthStatus,
    latencyMs: z.number().meta({ description: 'Latency of the last probe in milliseconds', example: 1.7 }),
    error: z
      .string()
      .optional()
      .meta({ description: 'Present unless `status` is `healthy`', example: 'it did not respond in time' }),
  })
  .meta({ id: 'DependencyHealth' });
export type DependencyHealthView = z.infer<typeof dependencyHealth>;

export const detailedHealth = z
  .object({
    status: healthStatus.meta({
      description: '`degraded`: an external provider is unhealthy; `unhealthy`: a dependency inside the platform is',
    }),
    version,
    timestamp: instant,
    dependencies: z
      .record(z.string(), dependencyHealth)
      .meta({ description: 'Health of each dependency, by name', example: { database: { status: 'healthy', latencyMs: 0.8 } } }),
    warnings: z.array(z.string()).meta({
      description: 'The emergency stop while it is on, and settings that do not fit the requests, such as TRUSTED_PROXY_HOPS',
      example: [],
    }),
  })
  .meta({ id: 'DetailedHealth' });
export type DetailedHealthView = z.infer<typeof detailedHealth>;

export const getPlatformConfig = route({
  ...ofPlatform,
  name: 'platform.getConfig',
  path: '/config',
  summary: 'Get platform configuration',
  description: 'Currencies, those that an order may have, amount limits, fees, rate limit, features and providers.',
  success: { status: 200, data: platformConfig },
});

export const getHealth = route({
  ...ofPlatform,
  name: 'platform.getHealth',
  path: '/health',
  summary: 'Check that the API is up',
  description: 'For load balancers and uptime checks. Does not count against the rate limit.',
  success: { status: 200, data: health },
});

export const getDetailedHealth = route({
  ...ofPlatform,
  name: 'platform.getDetailedHealth',
  path: '/health/detailed',
  summary: 'Get platform health',
  description:
    'The health of each dependency, from background probes that are at most 15 seconds old. Returns 503 with the same body when a dependency inside the platform is unhealthy. Does not count against the rate limit.',
  success: { status: 200, data: detailedHealth },
});

export const platformRoutes = { getPlatformConfig, getHealth, getDetailedHealth };
