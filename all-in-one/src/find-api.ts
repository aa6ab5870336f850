import { existsSync } from 'node:fs';
import { z } from 'zod';
import { optionalSetting, readConfig, secretSetting, urlSetting, type Environment } from '@holdfast/service-host/config';
import { readCommandSettings } from './config.js';
import { CannotStart, findRunning, readSecret } from './data-folder/index.js';

/** Where a running platform answers, and with which key. */
export type Api = { readonly baseUrl: string; readonly key: string };

const apiSettings = z.object({
  holdfastUrl: optionalSetting(
    urlSetting({
      description: 'The base URL of a running platform, up to and including /api/v1. Left out: the one on the data folder.',
      protocols: ['http', 'https'],
    }),
  ),
  holdfastKey: optionalSetting(
    secretSetting({ description: 'The key to ask it with. Left out: MASTER_KEY, or the one in the data folder.' }),
  ),
  masterKey: optionalSetting(secretSetting({ description: 'The key that opens every route.' })),
});

/** What was given, else what runs on the data folder. */
export function findApi(env: Environment): Api {
  const given = readConfig(apiSettings, env);
  const { holdfastDataDir: dataDir } = readCommandSettings(env);
  const isThere = existsSync(dataDir);
  const baseUrl = given.holdfastUrl ?? (isThere ? findRunning(dataDir)?.baseUrl : undefined);
  if (baseUrl === undefined)
    throw new CannotStart(`Nothing runs on ${dataDir}: start it with "npm start", or set HOLDFAST_URL and HOLDFAST_KEY.`);
  const key = given.holdfastKey ?? given.masterKey ?? (isThere ? readSecret(dataDir, 'masterKey') : undefined);
  if (key === undefined) throw new CannotStart('There is no key to ask with: set HOLDFAST_KEY.');
  return { baseUrl: baseUrl.replace(/\/$/, ''), key };
}
