import { z } from 'zod';
import { readConfig, secretSetting, urlSetting, type Environment } from '@holdfast/process/config';

const settings = z.object({
  databaseUrl: urlSetting({
    description: "Postgres: an administrator's login, used to create roles and schemas",
    protocols: ['postgres', 'postgresql'],
    isSecret: true,
  }),
  internalSecret: secretSetting({ description: 'The passwords of the roles follow from it' }),
});
export type MigrateSettings = z.output<typeof settings>;

export function readMigrateSettings(env: Environment): MigrateSettings {
  return readConfig(settings, env);
}
