import { existsSync } from 'node:fs';
import { z } from 'zod';
import { optionalSetting, readConfig, urlSetting, type Environment } from '@holdfast/service-host/config';
import { readCommandSettings } from './config.js';
import { CannotStart, findRunning } from './data-folder/index.js';
import { secretOf } from './open-installation.js';

/** The URL of a running service, and the secret with which a command signs its calls. */
export type ServiceAddress = { readonly url: string; readonly internalSecret: string };

const urlOf = (service: string) =>
  optionalSetting(
    urlSetting({
      description: `The URL of ${service}. Left out: the one that runs on the data folder.`,
      protocols: ['http', 'https'],
    }),
  );
const urlSettings = z.object({
  ordersUrl: urlOf('orders'),
  escrowAdapterUrl: urlOf('escrow-adapter'),
  identityUrl: urlOf('identity'),
});

/** ORDERS_URL, else the platform that runs on the data folder. */
export function findOrders(env: Environment): ServiceAddress {
  return find(env, 'ordersUrl', 'ORDERS_URL');
}

/** ESCROW_ADAPTER_URL, else the platform that runs on the data folder. */
export function findEscrowAdapter(env: Environment): ServiceAddress {
  return find(env, 'escrowAdapterUrl', 'ESCROW_ADAPTER_URL');
}

/** IDENTITY_URL, else the platform that runs on the data folder. */
export function findIdentity(env: Environment): ServiceAddress {
  return find(env, 'identityUrl', 'IDENTITY_URL');
}

function find(env: Environment, name: keyof z.output<typeof urlSettings>, setting: string): ServiceAddress {
  const config = readCommandSettings(env);
  const { holdfastDataDir: dataDir } = config;
  const running = existsSync(dataDir) ? findRunning(dataDir) : undefined;
  const url = readConfig(urlSettings, env)[name] ?? running?.[name];
  if (url === undefined)
    throw new CannotStart(`Nothing runs on ${dataDir}: start it with "npm start", or set ${setting} and INTERNAL_SECRET.`);
  return { url, internalSecret: secretOf(config) };
}
