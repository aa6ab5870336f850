import { z } from 'zod';
import { optionalSetting, readConfig, secretSetting, urlSetting, type Environment } from '@holdfast/process/config';

const address = (description: string) => optionalSetting(urlSetting({ description, protocols: ['http', 'https'] }));

const cliSettings = z.object({
  holdfastApi: address('The root of a running platform. Left out: HOLDFAST_URL, or the platform on the data folder.'),
  holdfastUrl: address('The base URL of a running platform, up to and including /api/v1. HOLDFAST_API wins.'),
  holdfastKey: optionalSetting(
    secretSetting({ description: 'The API key. Left out: MASTER_KEY, or the one in the data folder.' }),
  ),
  masterKey: optionalSetting(secretSetting({ description: 'The key with every scope.' })),
  holdfastSandbox: address('The root of the sandbox. Left out: the sandbox of the platform on the data folder.'),
});

export type CliSettings = z.output<typeof cliSettings>;

export function readCliSettings(env: Environment): CliSettings {
  return readConfig(cliSettings, env);
}
