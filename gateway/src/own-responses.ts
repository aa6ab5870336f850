import type { Request } from 'express';
import type { Clock, Instant } from '@holdfast/kernel/context';
import {
  amountLimits,
  getDetailedHealth,
  getHealth,
  getPlatformConfig,
  platformFeePercentDefault,
  type DependencyHealthView,
  type DetailedHealthView,
  type PlatformConfigView,
  type RouteDeclaration,
} from '@holdfast/contracts/http';
import { services } from '@holdfast/contracts/services';
import { apiPrefix, type PreparedResponse } from '@holdfast/http/server';
import { currencies, formatMoney, parseMoney } from '@holdfast/kernel/money';
import type { HealthProbes } from '@holdfast/service-host';
import type { AdmissionSettings } from './config.js';
import type { ProviderStatus } from './provider-status.js';
import type { RateLimitSettings } from './rate-limit.js';

/** What the gateway responds with itself, by declared route. */
export type OwnResponses = ReadonlyMap<RouteDeclaration, (requestId: string) => PreparedResponse>;

/** What the responses are made of, as it is known at the moment. */
type OwnParts = {
  readonly probes: Pick<HealthProbes, 'results'>;
  readonly providers: Pick<ProviderStatus, 'kinds' | 'health'>;
};

type Options = RateLimitSettings &
  OwnParts &
  Pick<AdmissionSettings, 'orderAmountMin' | 'orderAmountMax'> & { readonly version: string; readonly clock: Clock };

export function createOwnResponses(options: Options): OwnResponses {
  const { version, clock } = options;
  const config = configView(options);
  const respond = (requestId: string, view: (timestamp: Instant) => unknown): PreparedResponse => {
    const timestamp = clock.now();
    return envelope(200, view(timestamp), { requestId, timestamp });
  };
  return new Map<RouteDeclaration, (requestId: string) => PreparedResponse>([
    [getPlatformConfig, (requestId) => respond(requestId, () => ({ ...config, providers: providersOf(options) }))],
    // Always cheap: it asks nobody. The gateway listens only once everything behind it is ready.
    [getHealth, (requestId) => respond(requestId, (timestamp) => ({ status: 'ok', version, timestamp }))],
    [getDetailedHealth, (requestId) => detailedHealth(options, requestId)],
  ]);
}

const healthPaths = new Set([getHealth, getDetailedHealth].map(({ path }) => `${apiPrefix}${path}`));

/** Health is served to everybody at any time: such a request is neither counted nor are its credentials looked up. */
export function isHealthRequest({ path }: Pick<Request, 'path'>): boolean {
  return healthPaths.has(path);
}

/** Payments have no provider yet: there is no service for them. */
function providersOf({ providers }: Options): PlatformConfigView['providers'] {
  const { escrowProvider = 'none', ledgerNetwork = 'none' } = providers.kinds();
  return { payment: 'none', escrow: escrowProvider, ledgerNetwork };
}

function configView(options: Options): Omit<PlatformConfigView, 'providers'> {
  const { version, rateLimitMax, rateLimitWindowSeconds, orderAmountMin, orderAmountMax } = options;
  return {
    currencies: [...currencies],
    baseCurrency: 'USD',
    // Nothing enforces those of top-ups and withdrawals yet, so they are no settings either.
    limits: { ...amountLimits, order: { min: formatted(orderAmountMin), max: formatted(orderAmountMax) } },
    platformFeePercent: platformFeePercentDefault,
    rateLimit: { limit: rateLimitMax, windowSeconds: rateLimitWindowSeconds },
    features: {
      users: services.identity.exists,
      balances: services['ledger-balance'].exists,
      orders: services.orders.exists,
      wallets: services['escrow-adapter'].exists,
      payments: services.payments.exists,
      events: services.notifications.exists,
    },
    version,
  };
}

/** With its two places, however the setting was written. */
function formatted(amount: string): string {
  return formatMoney(parseMoney(amount, 'USD'));
}

/** Without a provider we still answer, take orders and keep what was asked for. */
function detailedHealth({ version, clock, probes, providers }: Options, requestId: string): PreparedResponse {
  const [own, outside] = [probes.results(), providers.health()];
  const status = statusOf(own, outside);
  const timestamp = clock.now();
  const view: DetailedHealthView = { status, version, timestamp, dependencies: { ...own, ...outside } };
  return envelope(status === 'down' ? 503 : 200, view, { requestId, timestamp });
}

type Found = Readonly<Record<string, DependencyHealthView>>;

function statusOf(own: Found, outside: Found): DetailedHealthView['status'] {
  if (isAnyDown(own)) return 'down';
  return isAnyDown(outside) ? 'degraded' : 'ok';
}

function isAnyDown(dependencies: Found): boolean {
  return Object.values(dependencies).some(({ status }) => status === 'down');
}

function envelope(
  status: number,
  data: unknown,
  meta: { readonly requestId: string; readonly timestamp: Instant },
): PreparedResponse {
  return { status, text: JSON.stringify({ data, meta }) };
}
