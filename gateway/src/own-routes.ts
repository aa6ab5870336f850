import type { Clock, Instant } from '@holdfast/shared/context';
import {
  amountLimits,
  getDetailedHealth,
  getHealth,
  getPlatformConfig,
  platformFeePercentDefault,
  type DetailedHealthView,
  type PlatformConfigView,
  type RouteDeclaration,
} from '@holdfast/shared/contracts/http';
import { services } from '@holdfast/shared/contracts/services';
import type { Answer } from '@holdfast/shared/http-server';
import { currencies, formatMoney, parseMoney } from '@holdfast/shared/money';
import type { AdmissionSettings } from './config.js';
import type { HealthProbes } from './health-probes.js';
import type { RateLimitSettings } from './rate-limit.js';

/** Answers that need nobody else. */
export type OwnAnswer = (requestId: string) => Answer;

type Options = RateLimitSettings &
  Pick<AdmissionSettings, 'orderAmountMin' | 'orderAmountMax'> & {
    readonly version: string;
    readonly clock: Clock;
    readonly probes: HealthProbes;
  };

/** What the gateway answers itself, by declared route. */
export function ownAnswers(options: Options): ReadonlyMap<RouteDeclaration, OwnAnswer> {
  const { version, clock } = options;
  const config = configView(options);
  const answer = (requestId: string, view: (timestamp: Instant) => unknown): Answer => {
    const timestamp = clock.now();
    return envelope(200, view(timestamp), { requestId, timestamp });
  };
  return new Map<RouteDeclaration, OwnAnswer>([
    [getPlatformConfig, (requestId) => answer(requestId, () => config)],
    // Always cheap: it asks nobody. The gateway listens only once everything behind it is ready.
    [getHealth, (requestId) => answer(requestId, (timestamp) => ({ status: 'ok', version, timestamp }))],
    [getDetailedHealth, (requestId) => detailedHealth(options, requestId)],
  ]);
}

/** Routes that tell how we are are answered to everybody at any time. */
export function isHealthRoute(route: RouteDeclaration): boolean {
  return route.name === getHealth.name || route.name === getDetailedHealth.name;
}

function configView(options: Options): PlatformConfigView {
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
    // The gateway does not ask those who talk to providers yet.
    providers: { payment: 'none', escrow: 'none', ledgerNetwork: 'none' },
    version,
  };
}

/** With its two places, however the setting was written. */
function shown(amount: string): string {
  return formatMoney(parseMoney(amount, 'USD'));
}

/** Everything that is probed so far is a part of our own. */
function detailedHealth({ version, clock, probes }: Options, requestId: string): Answer {
  const dependencies = probes.found();
  const isDown = Object.values(dependencies).some(({ status }) => status === 'down');
  const timestamp = clock.now();
  const view: DetailedHealthView = { status: isDown ? 'down' : 'ok', version, timestamp, dependencies: { ...dependencies } };
  return envelope(isDown ? 503 : 200, view, { requestId, timestamp });
}

function envelope(status: number, data: unknown, meta: { readonly requestId: string; readonly timestamp: Instant }): Answer {
  return { status, text: JSON.stringify({ data, meta }) };
}
