import path from 'node:path';
import { z } from 'zod';
import {
  amqpUrlSetting,
  databaseUrlSetting,
  optionalSetting,
  readConfig,
  secretSetting,
  textSetting,
  type Environment,
} from '@holdfast/process/config';

/** The settings by which a command finds an installation. They are here so that a command need not load the services. */
export const commandSettings = z.object({
  holdfastDataDir: textSetting({
    description: 'The folder with the database, the queues and the secrets generated at the first start.',
    default: '.holdfast',
  }),
  internalSecret: optionalSetting(
    secretSetting({ description: 'Shared by gateway and services: signs callers. Left out: one is generated and stored.' }),
  ),
  databaseUrl: optionalSetting(
    databaseUrlSetting({ description: "The administrator's URL of your Postgres. Left out: an embedded one." }),
  ),
  amqpUrl: optionalSetting(
    amqpUrlSetting({
      description: 'Your RabbitMQ. Left out: messages stay within the process, or a private RabbitMQ with separate processes.',
    }),
  ),
});
export type CommandSettings = z.output<typeof commandSettings>;

export function readCommandSettings(env: Environment): CommandSettings {
  return withAbsoluteFolder(readConfig(commandSettings, env));
}

export function withAbsoluteFolder<T extends { readonly holdfastDataDir: string }>(config: T): T {
  return { ...config, holdfastDataDir: path.resolve(config.holdfastDataDir) };
}
