import path from 'node:path';
import { z } from 'zod';
import { gatewaySettings } from '@holdfast/gateway';
import {
  booleanSetting,
  choiceSetting,
  countSetting,
  optionalSetting,
  portSetting,
  readConfig,
  secretSetting,
  textSetting,
  urlSetting,
  type Environment,
  type SettingsSchema,
} from '@holdfast/service-host/config';
import { logLevels } from '@holdfast/observability';

/** Every setting may be left out: what is missing is made, and kept in the data folder where it must stay the same. */
export const settings = z.object({
  port: optionalSetting(portSetting({ description: 'Where the API is served. Left out: 8080, or the next free one.' })),
  host: textSetting({
    description: 'The address the API is served on; everything else stays on 127.0.0.1.',
    default: '127.0.0.1',
  }),
  holdfastDataDir: textSetting({
    description: 'The folder with the database, the message broker and the secrets made at the first start.',
    default: '.holdfast',
  }),
  masterKey: optionalSetting(secretSetting({ description: 'The key that opens every route. Left out: one is made and kept.' })),
  internalSecret: optionalSetting(
    secretSetting({ description: 'What the parts prove themselves to each other with. Left out: one is made and kept.' }),
  ),
  walletMasterKey: optionalSetting(
    secretSetting({ description: 'Wraps the keys of all wallets. Left out: one is made and kept.' }),
  ),
  treasurySeed: optionalSetting(secretSetting({ description: "The treasury's seed. Left out: one is made and kept." })),
  platformSeed: optionalSetting(secretSetting({ description: "The platform's seed. Left out: one is made and kept." })),
  escrowWebhookSecret: optionalSetting(
    secretSetting({ description: 'What the escrow provider signs its webhooks with. Left out: one is made and kept.' }),
  ),
  sandboxPort: optionalSetting(
    portSetting({
      description:
        'Where the sandbox plays the providers and the ledger network, unless their addresses are given. Left out: 8090, or the next free one.',
    }),
  ),
  sandboxAuto: booleanSetting({ description: 'Payins confirm and payouts complete by themselves', default: false }),
  databaseUrl: optionalSetting(
    urlSetting({
      description: "The administrator's URL of your Postgres. Left out: an embedded one.",
      protocols: ['postgres', 'postgresql'],
      isSecret: true,
    }),
  ),
  amqpUrl: optionalSetting(
    urlSetting({
      description: 'Your RabbitMQ. Left out: messages stay within the process, or a private RabbitMQ with separate processes.',
      protocols: ['amqp', 'amqps'],
      isSecret: true,
    }),
  ),
  replicas: countSetting({
    description:
      'How many processes of each part `npm run start:distributed` starts, each with a gateway in front; the first one has PORT.',
    default: 1,
    min: 1,
    max: 4,
  }),
  proxyTimeoutMs: gatewaySettings.shape.proxyTimeoutMs,
  logLevel: choiceSetting(logLevels, { description: 'The least important lines that are still logged.', default: 'info' }),
});

export type Settings = z.output<typeof settings>;

/**
 * Reads the settings and checks those of the parts along with them, so that every fault is reported at once. What the program
 * provides itself is not demanded of its environment.
 */
export function readSettings(env: Environment, parts: readonly SettingsSchema[], provided: readonly string[] = []): Settings {
  const shapes = parts.map((part) => part.shape);
  const required = shapes.flatMap((shape) => Object.entries(shape)).filter(([name]) => !provided.includes(name));
  readConfig(z.object({ ...Object.fromEntries(required), ...settings.shape }), env);
  return withAbsoluteFolder(readConfig(settings, env));
}

const commandSettings = settings.pick({ holdfastDataDir: true, internalSecret: true, databaseUrl: true, amqpUrl: true });
export type CommandSettings = z.output<typeof commandSettings>;

/** What a command needs to find an installation. */
export function readCommandSettings(env: Environment): CommandSettings {
  return withAbsoluteFolder(readConfig(commandSettings, env));
}

function withAbsoluteFolder<T extends { readonly holdfastDataDir: string }>(config: T): T {
  return { ...config, holdfastDataDir: path.resolve(config.holdfastDataDir) };
}
