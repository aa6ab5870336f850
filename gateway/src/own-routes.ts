import type { Clock, Instant } from '@holdfast/shared/context';
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
} from '@holdfast/shared/contracts/http';
import { services } from '@holdfast/shared/contracts/services';
import type { Answer } from '@holdfast/shared/http-server';
import { currencies, formatMoney, parseMoney } from '@holdfast/shared/money';
import type { HealthProbes } from '@holdfast/shared/service-host';
import type { AdmissionSettings } from './config.js';
import type { KnownProviders } from './provider-states.js';
import type { RateLimitSettings } from './rate-limit.js';

/** Answers that need nobody else. */
export type OwnAnswer = (requestId: string) => Answer;

/** What the answers are made of, as it is known at the moment. */
export type OwnParts = {
  readonly probes: Pick<HealthProbes, 'found'>;
  readonly providers: Pick<KnownProviders, 'kinds' | 'health'>;
};

type Options = RateLimitSettings &
  OwnParts &
  Pick<AdmissionSettings, 'orderAmountMin' | 'orderAmountMax'> & { readonly version: string; readonly clock: Clock };

/** What the gateway answers itself, by declared route. */
export function ownAnswers(options: Options): ReadonlyMap<RouteDeclaration, OwnAnswer> {
  const { version, clock } = options;
  const config = configView(options);
  const answer = (requestId: string, view: (timestamp: Instant) => unknown): Answer => {
    const timestamp = clock.now();
    return envelope(200, view(timestamp), { requestId, timestamp });
  };
  return new Map<RouteDeclaration, OwnAnswer>([
    [getPlatformConfig, (requestId) => answer(requestId, () => ({ providers: providersOf(options), ...config }))],
    // Always cheap: it asks nobody. The gateway listens only once everything behind it is ready.
    [getHealth, (requestId) => answer(requestId, (timestamp) => ({ status: 'ok', version, timestamp }))],
    [getDetailedHealth, (requestId) => detailedHealth(options, requestId)],
  ]);
}

/** Routes that tell how we are are answered to everybody at any time. */
export function isHealthRoute(route: RouteDeclaration): boolean {
  return route.name === getHealth.name || route.name === getDetailedHealth.name;
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
    limits: { ...amountLimits, order: { min: shown(orderAmountMin), max: shown(orderAmountMax) } },
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
function shown(amount: string): string {
  return formatMoney(parseMoney(amount, 'USD'));
}

/** Without a provider we still answer, take orders and keep what was asked for. */
function detailedHealth({ version, clock, probes, providers }: Options, requestId: string): Answer {
  const [own, outside] = [probes.found(), providers.health()];
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

function envelope(status: number, data: unknown, meta: { readonly requestId: string; readonly timestamp: Instant }): Answer {
  return { status, text: JSON.stringify({ data, meta }) };
}
