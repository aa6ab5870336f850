import { z } from 'zod';
import { currencies } from '../../money/index.js';
import { amountOut, currency, instant, noBody, noParams, noQuery } from '../shapes/index.js';
import { route } from './route.js';

/** Answered by the gateway itself, to everybody. */
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

/** What one operation may move, in the base currency. Whoever enforces a limit takes it from here. */
export const amountLimits = {
  topup: { min: '1.00', max: '10000.00' },
  withdrawal: { min: '1.00', max: '5000.00' },
  order: { min: '1.00', max: '50000.00' },
} as const;

export const platformFeePercentDefault = 5;

const version = z.string().meta({ description: 'Of the platform', example: '1.4.0' });
const provider = z
  .enum(['none', 'sandbox', 'live'])
  .meta({ description: 'Whether it is connected, and to what', example: 'sandbox' });
const isThere = z.boolean().meta({ example: true });

export const platformConfig = z
  .object({
    currencies: z.array(currency).meta({ example: [...currencies] }),
    baseCurrency: currency,
    limits: z.object({ topup: range, withdrawal: range, order: range }),
    platformFeePercent: z.number().meta({ description: 'Where an order names none', example: platformFeePercentDefault }),
    rateLimit: z.object({
      limit: z.int().meta({ description: 'Requests a window allows; 0 where they are not limited', example: 100 }),
      windowSeconds: z.int().meta({ example: 60 }),
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

export const health = z.object({ status: z.literal('ok'), version, timestamp: instant }).meta({ id: 'Health' });

export const dependencyHealth = z
  .object({
    status: z.enum(['up', 'down']),
    latencyMs: z.number().meta({ description: 'Of the last probe', example: 1.7 }),
    error: z.string().optional().meta({ description: 'Only where it is down', example: 'it does not answer' }),
  })
  .meta({ id: 'DependencyHealth' });
export type DependencyHealthView = z.infer<typeof dependencyHealth>;

export const detailedHealth = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']).meta({ description: '`degraded`: only something outside of us is down' }),
    version,
    timestamp: instant,
    dependencies: z
      .record(z.string(), dependencyHealth)
      .meta({ description: 'By name', example: { database: { status: 'up', latencyMs: 0.8 } } }),
  })
  .meta({ id: 'DetailedHealth' });
export type DetailedHealthView = z.infer<typeof detailedHealth>;

export const getPlatformConfig = route({
  ...ofPlatform,
  name: 'getPlatformConfig',
  path: '/config',
  summary: 'See how the platform is set up',
  success: { status: 200, data: platformConfig },
});

export const getHealth = route({
  ...ofPlatform,
  name: 'getHealth',
  path: '/health',
  summary: 'Ask whether the platform answers',
  description: 'Always cheap, and not counted by the rate limit.',
  success: { status: 200, data: health },
});

export const getDetailedHealth = route({
  ...ofPlatform,
  name: 'getDetailedHealth',
  path: '/health/detailed',
  summary: 'Ask how each part of the platform is',
  description:
    'From probes in the background, at most 15 seconds old; not counted by the rate limit. 503 with the same body when a part of our own is down.',
  success: { status: 200, data: detailedHealth },
});

export const platformRoutes = [getPlatformConfig, getHealth, getDetailedHealth] as const;
