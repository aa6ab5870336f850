import { z } from 'zod';
import { gatewaySettings } from '@holdfast/gateway';
import { newerVersionWaitMsSetting } from '@holdfast/service-kit';
import {
  booleanSetting,
  choiceSetting,
  countSetting,
  durationMsSetting,
  optionalSetting,
  portSetting,
  readConfig,
  secretSetting,
  shutdownSettings,
  textSetting,
  tracingSettings,
  urlSetting,
  type Environment,
  type SettingsSchema,
} from '@holdfast/process/config';
import { logLevels } from '@holdfast/observability';
import { commandSettings, withAbsoluteFolder } from './command-settings.js';

/** Every setting is optional: a missing secret is generated and stored in the data folder. */
export const settings = z.object({
  port: optionalSetting(portSetting({ description: 'The port of the API. Left out: 8080, or the next free one.' })),
  host: textSetting({
    description: 'The address the API is served on; everything else stays on 127.0.0.1.',
    default: '127.0.0.1',
  }),
  holdfastDataDir: commandSettings.shape.holdfastDataDir,
  masterKey: optionalSetting(secretSetting({ description: 'The key with every scope. Left out: one is generated and stored.' })),
  internalSecret: commandSettings.shape.internalSecret,
  walletMasterKey: optionalSetting(
    secretSetting({ description: 'Encrypts the keys of all wallets. Left out: one is generated and stored.' }),
  ),
  treasurySeed: optionalSetting(secretSetting({ description: "The treasury's seed. Left out: one is generated and stored." })),
  platformSeed: optionalSetting(secretSetting({ description: "The platform's seed. Left out: one is generated and stored." })),
  escrowWebhookSecret: optionalSetting(
    secretSetting({
      description: 'The secret with which the escrow provider signs its webhooks. Left out: one is generated and stored.',
    }),
  ),
  paymentWebhookSecret: optionalSetting(
    secretSetting({
      description: 'The secret with which the payment provider signs its webhooks. Left out: one is generated and stored.',
    }),
  ),
  publicUrl: optionalSetting(
    urlSetting({
      description: 'The address of the API for browsers; the payment provider redirects users there. Left out: HOST and PORT.',
      protocols: ['http', 'https'],
    }),
  ),
  sandboxPort: optionalSetting(
    portSetting({
      description:
        'The port of the sandbox, which simulates the providers and the ledger network unless their addresses are given. Left out: 8090, or the next free one.',
    }),
  ),
  sandboxAuto: booleanSetting({ description: 'The sandbox confirms payins and completes payouts by itself', default: false }),
  sandboxLedgerMs: durationMsSetting({
    description: "The sandbox's ledgers close on this timer; 0 closes one with each transaction",
    default: 0,
    min: 0,
    max: 60_000,
  }),
  databaseUrl: commandSettings.shape.databaseUrl,
  amqpUrl: commandSettings.shape.amqpUrl,
  newerVersionWaitMs: newerVersionWaitMsSetting(),
  metricsPort: portSetting({
    description: 'The port for metrics and health checks of `npm start`, on 127.0.0.1; 0 means any free one.',
    default: 0,
  }),
  // No balancer stands in front of one machine; with the time that the process needs to exit, everything ends within ten seconds.
  ...shutdownSettings({ delayMs: 0, timeoutMs: 9_500 }).shape,
  replicas: countSetting({
    description:
      'How many times `npm run start:distributed` starts every service, each time with a gateway in front; the first gateway has PORT.',
    default: 1,
    min: 1,
    max: 4,
  }),
  proxyTimeoutMs: gatewaySettings.shape.proxyTimeoutMs,
  logLevel: choiceSetting(logLevels, { description: 'The lowest level that is logged.', default: 'info' }),
  ...tracingSettings,
});

export type Settings = z.output<typeof settings>;

/**
 * Reads the settings, together with the settings of all services, so that one report names every fault. Settings that the
 * program provides itself are not required in the environment.
 */
export function readSettings(
  env: Environment,
  ofServices: readonly SettingsSchema[],
  provided: readonly string[] = [],
): Settings {
  const shapes = ofServices.map(({ shape }) => shape);
  const required = shapes.flatMap((shape) => Object.entries(shape)).filter(([name]) => !provided.includes(name));
  readConfig(z.object({ ...Object.fromEntries(required), ...settings.shape }), env);
  return withAbsoluteFolder(readConfig(settings, env));
}
