import { existsSync } from 'node:fs';
import { z } from 'zod';
import { optionalSetting, readConfig, secretSetting, urlSetting, type Environment } from '@holdfast/process/config';
import { readCommandSettings } from './command-settings.js';
import { CannotStart, findRunning, isMarked, readSecret } from './data-folder/index.js';

/** The base URL of a running platform, and a key for it. */
export type Api = { readonly baseUrl: string; readonly key: string };

const apiSettings = z.object({
  holdfastUrl: optionalSetting(
    urlSetting({
      description: 'The base URL of a running platform, up to and including /api/v1. Left out: the one on the data folder.',
      protocols: ['http', 'https'],
    }),
  ),
  holdfastKey: optionalSetting(
    secretSetting({ description: 'The API key. Left out: MASTER_KEY, or the one in the data folder.' }),
  ),
  masterKey: optionalSetting(secretSetting({ description: 'The key with every scope.' })),
});

/** The key of the banner: the one that was generated at the first start and is stored in the data folder. */
export function findKey(env: Environment): string {
  if (readConfig(apiSettings, env).masterKey !== undefined)
    throw new CannotStart('MASTER_KEY is set: the key is the one that you have chosen, and it is not stored.');
  const { holdfastDataDir: dataDir } = readCommandSettings(env);
  const key = isMarked(dataDir) ? readSecret(dataDir, 'masterKey') : undefined;
  if (key === undefined) throw new CannotStart(`There is no key in ${dataDir}: "npm start" generates one at its first start.`);
  return key;
}

/** HOLDFAST_URL and HOLDFAST_KEY, else the platform that runs on the data folder. */
export function findApi(env: Environment): Api {
  const given = readConfig(apiSettings, env);
  const { holdfastDataDir: dataDir } = readCommandSettings(env);
  const hasDataDir = existsSync(dataDir);
  const baseUrl = given.holdfastUrl ?? (hasDataDir ? findRunning(dataDir)?.baseUrl : undefined);
  if (baseUrl === undefined)
    throw new CannotStart(`Nothing runs on ${dataDir}: start it with "npm start", or set HOLDFAST_URL and HOLDFAST_KEY.`);
  const key = given.holdfastKey ?? given.masterKey ?? (hasDataDir ? readSecret(dataDir, 'masterKey') : undefined);
  if (key === undefined) throw new CannotStart('There is no API key: set HOLDFAST_KEY.');
  return { baseUrl: baseUrl.replace(/\/$/, ''), key };
}
