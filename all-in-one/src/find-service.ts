import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { ServiceName } from '@holdfast/contracts/services';
import { optionalSetting, readConfig, urlSetting, type Environment } from '@holdfast/process/config';
import { readCommandSettings } from './command-settings.js';
import { CannotStart, findRunning } from './data-folder/index.js';
import { secretOf } from './open-installation.js';

/** The URL of a running service, and the secret with which a command signs its calls. */
export type ServiceAddress = { readonly url: string; readonly internalSecret: string };

/** ORDERS_URL and so on, else the platform that runs on the data folder. */
export function findService(env: Environment, name: ServiceName): ServiceAddress {
  const config = readCommandSettings(env);
  const { holdfastDataDir: dataDir } = config;
  const setting = `${name.toUpperCase().replaceAll('-', '_')}_URL`;
  const running = existsSync(dataDir) ? findRunning(dataDir) : undefined;
  const url = givenUrl(env, name, setting) ?? running?.serviceUrls?.[name];
  if (url === undefined)
    throw new CannotStart(`Nothing runs on ${dataDir}: start it with "npm start", or set ${setting} and INTERNAL_SECRET.`);
  return { url, internalSecret: secretOf(config) };
}

function givenUrl(env: Environment, name: ServiceName, setting: string): string | undefined {
  const description = `The URL of ${name}. Left out: the one that runs on the data folder.`;
  const url = optionalSetting(urlSetting({ description, protocols: ['http', 'https'] }));
  return readConfig(z.object({ [setting]: url }), env)[setting];
}
