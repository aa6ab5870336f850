import type { Clock, Instant } from '@holdfast/kernel/context';
import {
  getDetailedHealth,
  getHealth,
  getPlatformConfig,
  platformFeePercentDefault,
  type DependencyHealthView,
  type DetailedHealthView,
  type PlatformConfigView,
  type RouteDeclaration,
} from '@holdfast/contracts/http';
import type { PreparedResponse } from '@holdfast/http/server';
import { currencies, formatMoney, parseMoney } from '@holdfast/kernel/money';
import type { HealthProbes } from '@holdfast/process/operations-port';
import type { AdmissionSettings } from './config.js';
import type { EmergencyWarning } from './emergency-warning.js';
import type { ProviderStatus } from './provider-status.js';
import type { ProxyWarning } from './proxy-warning.js';
import type { RateLimitSettings } from './rate-limit.js';

/** The responses of routes that the gateway serves itself, by declaration. */
export type OwnResponses = ReadonlyMap<RouteDeclaration, (requestId: string) => PreparedResponse>;

/** Current results of the background probes. */
type HealthSources = {
  readonly probes: Pick<HealthProbes, 'results'>;
  readonly providers: Pick<ProviderStatus, 'kinds' | 'health'>;
  readonly proxyWarning: Pick<ProxyWarning, 'warnings'>;
  readonly emergencyWarning: Pick<EmergencyWarning, 'warnings'>;
};

type Options = RateLimitSettings & HealthSources & OrderAndPaymentSettings & { readonly version: string; readonly clock: Clock };

type OrderAndPaymentSettings = Pick<
  AdmissionSettings,
  | 'escrowCurrencies'
  | 'orderAmountMin'
  | 'orderAmountMax'
  | 'topupAmountMin'
  | 'topupAmountMax'
  | 'withdrawalAmountMin'
  | 'withdrawalAmountMax'
>;

export function createOwnResponses(options: Options): OwnResponses {
  const { version, clock } = options;
  const config = configView(options);
  const respond = (requestId: string, view: (timestamp: Instant) => unknown): PreparedResponse => {
    const timestamp = clock.now();
    return envelope(200, view(timestamp), { requestId, timestamp });
  };
  return new Map<RouteDeclaration, (requestId: string) => PreparedResponse>([
    [getPlatformConfig, (requestId) => respond(requestId, () => ({ ...config, providers: providersOf(options) }))],
    // Makes no call, so that it is always cheap.
    [getHealth, (requestId) => respond(requestId, (timestamp) => ({ status: 'healthy', version, timestamp }))],
    [getDetailedHealth, (requestId) => detailedHealth(options, requestId)],
  ]);
}

function providersOf({ providers }: Options): PlatformConfigView['providers'] {
  const { paymentProvider = 'none', escrowProvider = 'none', ledgerNetwork = 'none' } = providers.kinds();
  return { payment: paymentProvider, escrow: escrowProvider, ledgerNetwork };
}

function configView(options: Options): Omit<PlatformConfigView, 'providers'> {
  const { version, rateLimitMax, rateLimitWindowSeconds } = options;
  return {
    currencies: [...currencies],
    baseCurrency: 'USD',
    escrowCurrencies: [...options.escrowCurrencies],
    limits: {
      topup: { min: formatted(options.topupAmountMin), max: formatted(options.topupAmountMax) },
      withdrawal: { min: formatted(options.withdrawalAmountMin), max: formatted(options.withdrawalAmountMax) },
      order: { min: formatted(options.orderAmountMin), max: formatted(options.orderAmountMax) },
    },
    platformFeePercent: platformFeePercentDefault,
    rateLimit: { limit: rateLimitMax, windowSeconds: rateLimitWindowSeconds },
    features: { users: true, balances: true, orders: true, wallets: true, payments: true, events: true },
    version,
  };
}

/** With two decimal places, whatever the setting has. */
function formatted(amount: string): string {
  return formatMoney(parseMoney(amount, 'USD'));
}

/** An unhealthy provider degrades the platform without taking it down: requests are still accepted and stored. */
function detailedHealth(options: Options, requestId: string): PreparedResponse {
  const { version, clock, probes, providers, proxyWarning, emergencyWarning } = options;
  const [own, external] = [probes.results(), providers.health()];
  const status = statusOf(own, external);
  const timestamp = clock.now();
  const dependencies = { ...own, ...external };
  const warnings = [...emergencyWarning.warnings(), ...proxyWarning.warnings()];
  const view: DetailedHealthView = { status, version, timestamp, dependencies, warnings };
  return envelope(status === 'unhealthy' ? 503 : 200, view, { requestId, timestamp });
}

type Dependencies = Readonly<Record<string, DependencyHealthView>>;

function statusOf(own: Dependencies, external: Dependencies): DetailedHealthView['status'] {
  if (isAnyUnhealthy(own)) return 'unhealthy';
  return isAnyUnhealthy(external) ? 'degraded' : 'healthy';
}

function isAnyUnhealthy(dependencies: Dependencies): boolean {
  return Object.values(dependencies).some(({ status }) => status === 'unhealthy');
}

function envelope(
  status: number,
  data: unknown,
  meta: { readonly requestId: string; readonly timestamp: Instant },
): PreparedResponse {
  return { status, text: JSON.stringify({ data, meta }) };
}
