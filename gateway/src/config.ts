import { z } from 'zod';
import {
  amountSetting,
  choiceSetting,
  countSetting,
  durationMsSetting,
  portSetting,
  secretSetting,
  textSetting,
  urlSetting,
  serviceUrlSetting,
} from '@holdfast/service-host/config';
import { amountLimits } from '@holdfast/contracts/http';
import type { ServiceName } from '@holdfast/contracts/services';
import { logLevels } from '@holdfast/observability';
import type { DemoUsers } from './reference-pages.js';
import { parseRouteLimits, routeLimitsExample } from './route-limits.js';

const rateLimitStores = ['memory', 'postgres'] as const;

/** Who is let in and how often: the same wherever the gateway runs. */
export const admissionSettings = z.object({
  rateLimitMax: countSetting({
    description: 'Requests of one caller in a window; 0 switches the limit off',
    default: 100,
    min: 0,
    max: 1_000_000,
  }),
  rateLimitWindowSeconds: countSetting({ description: 'How long a window is', default: 60, min: 1, max: 86_400 }),
  rateLimitStore: choiceSetting(rateLimitStores, {
    description: 'Where requests are counted: memory for one gateway, postgres for several together',
    default: 'memory',
  }),
  rateLimitRoutes: textSetting({
    description: 'Limits of single routes beside the one of all requests, each counted per caller; none where it is empty',
    default: '',
    lengthMax: 4_000,
    form: {
      expected: `declared routes with the requests that so many seconds allow, such as "${routeLimitsExample}"`,
      isMet: (text) => parseRouteLimits(text) !== undefined,
    },
  }),
  eventStreamsMax: countSetting({
    description: 'Event streams that one caller may have open at one gateway; 0 for any number',
    default: 0,
    min: 0,
    max: 1_000,
  }),
  eventStreamsTotalMax: countSetting({
    description: 'Event streams that all callers together may have open at one gateway',
    default: 20_000,
    min: 1,
    max: 1_000_000,
  }),
  trustedProxyHops: countSetting({
    description: 'Proxies of your own in front of the gateway, whose X-Forwarded-For is believed',
    default: 0,
    min: 0,
    max: 5,
  }),
  corsOrigins: textSetting({
    description: 'Origins whose browsers may call, separated by commas, such as https://shop.example; none where it is empty',
    default: '',
    lengthMax: 4_000,
  }),
  // Orders enforces them, and the gateway tells of them: both read the same settings, and have the same defaults.
  orderAmountMin: amountSetting({
    description: 'The smallest amount of an order, as GET /config tells',
    default: amountLimits.order.min,
  }),
  orderAmountMax: amountSetting({
    description: 'The largest amount of an order, as GET /config tells',
    default: amountLimits.order.max,
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
  port: portSetting({ description: 'The port the gateway listens on', default: 8080 }),
  operationsHost: textSetting({ description: 'The address of the port for operators', default: '127.0.0.1' }),
  operationsPort: portSetting({
    description: 'The port for /livez, /readyz and /metrics, apart from the public one',
    default: 8079,
  }),
  masterKey: secretSetting({ description: 'The key with every scope' }),
  internalSecret: secretSetting({ description: 'Shared with the services: signs the caller' }),
  identityUrl: serviceUrlSetting('identity'),
  ledgerBalanceUrl: serviceUrlSetting('ledger-balance'),
  ordersUrl: serviceUrlSetting('orders'),
  escrowAdapterUrl: serviceUrlSetting('escrow-adapter'),
  notificationsUrl: serviceUrlSetting('notifications'),
  databaseUrl: urlSetting({
    description: "Postgres: an administrator's login, used to create the gateway's own role and schema, or that role's login",
    protocols: ['postgres', 'postgresql'],
    isSecret: true,
  }),
  databasePoolMax: countSetting({ description: 'Database connections of this process', default: 6, min: 2, max: 80 }),
  amqpUrl: urlSetting({
    description: 'RabbitMQ, over which revoked keys are forgotten at once',
    protocols: ['amqp', 'amqps'],
    isSecret: true,
  }),
  proxyTimeoutMs: durationMsSetting({
    description: 'How long a service may take to answer; longer than SETTLEMENT_TIMEOUT_MS',
    default: 75_000,
  }),
  ...admissionSettings.shape,
  demoBuyerId: textSetting({
    description: 'A user for the examples of the API reference, with DEMO_SELLER_ID; made-up ids where it is empty',
    default: '',
  }),
  demoSellerId: textSetting({ description: 'The seller in the examples of the API reference', default: '' }),
  logLevel: choiceSetting(logLevels, { description: 'How much is logged', default: 'info' }),
});

export type Settings = z.output<typeof settings>;

export function demoUsersOf({ demoBuyerId, demoSellerId }: Settings): DemoUsers | undefined {
  return demoBuyerId === '' || demoSellerId === '' ? undefined : { buyerId: demoBuyerId, sellerId: demoSellerId };
}

/** Where each service is found. One without an address cannot be reached. */
export type ServiceUrls = Readonly<Partial<Record<ServiceName, string>>>;

export function serviceUrlsOf(config: Settings): ServiceUrls {
  return {
    identity: config.identityUrl,
    'ledger-balance': config.ledgerBalanceUrl,
    orders: config.ordersUrl,
    'escrow-adapter': config.escrowAdapterUrl,
    notifications: config.notificationsUrl,
  };
}
