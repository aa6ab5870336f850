import { z } from 'zod';
import {
  amountSetting,
  amqpUrlSetting,
  choiceSetting,
  choicesSetting,
  countSetting,
  databaseUrlSetting,
  durationMsSetting,
  migrateAtStartSetting,
  operationsSettings,
  portSetting,
  secretSetting,
  textSetting,
  tracingSettings,
  serviceUrlSetting,
  shutdownSettings,
} from '@holdfast/process/config';
import { amountLimits } from '@holdfast/contracts/http';
import type { ServiceName } from '@holdfast/contracts/services';
import { currencies } from '@holdfast/kernel/money';
import { logLevels } from '@holdfast/observability';
import type { DemoUsers } from './reference-pages.js';
import { parseRouteLimits, routeLimitsExample } from './route-limits.js';

const gatewayPort = 8080;
const operatorRoutesChoices = ['on', 'off'] as const;
const rateLimitStores = ['memory', 'postgres'] as const;

/** Rate limits, stream limits, CORS, the console, order limits and currencies: the settings that `npm start` and a gateway process share. */
export const admissionSettings = z.object({
  rateLimitMax: countSetting({
    description:
      'Requests that one caller may send in a window; 0 switches the limit off. `npm start` allows 1,000 unless it is set',
    default: 100,
    min: 0,
    max: 1_000_000,
  }),
  rateLimitWindowSeconds: countSetting({
    description: 'Length of a rate limit window in seconds',
    default: 60,
    min: 1,
    max: 86_400,
  }),
  rateLimitStore: choiceSetting(rateLimitStores, {
    description: 'Where requests are counted: memory for a single gateway, postgres for several replicas',
    default: 'memory',
  }),
  rateLimitRoutes: textSetting({
    description: 'Additional limits of single routes, counted per caller; empty for none',
    default: '',
    lengthMax: 4_000,
    form: {
      expected: `declared routes with a number of requests and of seconds, such as "${routeLimitsExample}"`,
      isMet: (text) => parseRouteLimits(text) !== undefined,
    },
  }),
  eventStreamsMax: countSetting({
    description: 'Event streams that one caller may have open at one gateway; 0 for no limit',
    default: 0,
    min: 0,
    max: 1_000,
  }),
  eventStreamsTotalMax: countSetting({
    description: 'Event streams of all callers that may be open at one gateway',
    default: 20_000,
    min: 1,
    max: 1_000_000,
  }),
  operatorRoutes: choiceSetting(operatorRoutesChoices, {
    description:
      'Whether operators may change something over HTTP with the master key: POST /operations/sagas/{id}/redrive, /operations/parked-messages/redrive and /operations/emergency-stop. `npm start` on a loopback address has them on unless it is set',
    default: 'off',
  }),
  trustedProxyHops: countSetting({
    description: 'Number of trusted proxies in front of the gateway that append to X-Forwarded-For',
    default: 0,
    min: 0,
    max: 5,
  }),
  corsOrigins: textSetting({
    description: 'Allowed CORS origins, separated by commas, such as https://shop.example; empty for none',
    default: '',
    lengthMax: 4_000,
  }),
  console: choiceSetting(['on', 'off'], { description: 'Whether the web console is served at /console', default: 'on' }),
  // Services enforce these limits and the gateway shows them, so both read the same settings with the same defaults.
  orderAmountMin: amountSetting({
    description: 'Smallest amount of an order, shown by GET /config',
    default: amountLimits.order.min,
  }),
  orderAmountMax: amountSetting({
    description: 'Largest amount of an order, shown by GET /config',
    default: amountLimits.order.max,
  }),
  topupAmountMin: amountSetting({
    description: 'Smallest amount of a top-up, shown by GET /config',
    default: amountLimits.topup.min,
  }),
  topupAmountMax: amountSetting({
    description: 'Largest amount of a top-up, shown by GET /config',
    default: amountLimits.topup.max,
  }),
  withdrawalAmountMin: amountSetting({
    description: 'Smallest amount of a withdrawal, shown by GET /config',
    default: amountLimits.withdrawal.min,
  }),
  withdrawalAmountMax: amountSetting({
    description: 'Largest amount of a withdrawal, shown by GET /config',
    default: amountLimits.withdrawal.max,
  }),
  escrowCurrencies: choicesSetting(currencies, {
    description: 'The currencies of orders that the escrow contracts can hold, shown by GET /config',
    default: currencies,
  }),
});

export type AdmissionSettings = z.output<typeof admissionSettings>;

export function originsOf({ corsOrigins }: Pick<AdmissionSettings, 'corsOrigins'>): readonly string[] {
  return corsOrigins
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
}

export const settings = z.object({
  host: textSetting({ description: 'The address the gateway listens on', default: '0.0.0.0' }),
  port: portSetting({ description: 'The port the gateway listens on', default: gatewayPort }),
  ...operationsSettings(gatewayPort).shape,
  ...shutdownSettings().shape,
  masterKey: secretSetting({ description: 'The API key that has every scope' }),
  internalSecret: secretSetting({ description: 'Secret shared with the services; signs the caller token' }),
  identityUrl: serviceUrlSetting('identity'),
  ledgerBalanceUrl: serviceUrlSetting('ledger-balance'),
  ordersUrl: serviceUrlSetting('orders'),
  escrowAdapterUrl: serviceUrlSetting('escrow-adapter'),
  paymentsUrl: serviceUrlSetting('payments'),
  notificationsUrl: serviceUrlSetting('notifications'),
  databaseUrl: databaseUrlSetting({
    description: "Postgres: an administrator's login, used to create the gateway's own role and schema, or that role's login",
  }),
  migrateAtStart: migrateAtStartSetting(),
  databasePoolMax: countSetting({ description: 'Database connections of this process', default: 6, min: 2, max: 80 }),
  amqpUrl: amqpUrlSetting({ description: 'RabbitMQ, which notifies the gateway of revoked keys' }),
  proxyTimeoutMs: durationMsSetting({
    description:
      'How long a service may take to respond; longer than SETTLEMENT_TIMEOUT_MS. POST /escrow/init may take three times as long',
    default: 75_000,
  }),
  ...admissionSettings.shape,
  demoBuyerId: textSetting({
    description: 'The buyer in the examples of the API reference; used only with DEMO_SELLER_ID',
    default: '',
  }),
  demoSellerId: textSetting({
    description: 'The seller in the examples of the API reference; used only with DEMO_BUYER_ID',
    default: '',
  }),
  logLevel: choiceSetting(logLevels, { description: 'Lowest level that is logged', default: 'info' }),
  ...tracingSettings,
});

export type Settings = z.output<typeof settings>;

export function demoUsersOf({ demoBuyerId, demoSellerId }: Settings): DemoUsers | undefined {
  return demoBuyerId === '' || demoSellerId === '' ? undefined : { buyerId: demoBuyerId, sellerId: demoSellerId };
}

/** Base URLs of the services. Requests for a service without one get 503 SERVICE_UNAVAILABLE. */
export type ServiceUrls = Readonly<Partial<Record<ServiceName, string>>>;

export function serviceUrlsOf(config: Settings): ServiceUrls {
  return {
    identity: config.identityUrl,
    'ledger-balance': config.ledgerBalanceUrl,
    orders: config.ordersUrl,
    'escrow-adapter': config.escrowAdapterUrl,
    payments: config.paymentsUrl,
    notifications: config.notificationsUrl,
  };
}
