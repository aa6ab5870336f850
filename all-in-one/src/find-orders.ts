import { existsSync } from 'node:fs';
import { z } from 'zod';
import { optionalSetting, readConfig, urlSetting, type Environment } from '@holdfast/service-host/config';
import { readCommandSettings } from './config.js';
import { CannotStart, findRunning } from './data-folder/index.js';
import { secretOf } from './open-installation.js';

/** The URL of a running orders service, and the secret with which a command signs its calls. */
export type OrdersAddress = { readonly url: string; readonly internalSecret: string };

const ordersSettings = z.object({
  ordersUrl: optionalSetting(
    urlSetting({
      description: 'The URL of orders. Left out: the one that runs on the data folder.',
      protocols: ['http', 'https'],
    }),
  ),
});

/** ORDERS_URL, else the platform that runs on the data folder. */
export function findOrders(env: Environment): OrdersAddress {
  const config = readCommandSettings(env);
  const { holdfastDataDir: dataDir } = config;
  const running = existsSync(dataDir) ? findRunning(dataDir) : undefined;
  const url = readConfig(ordersSettings, env).ordersUrl ?? running?.ordersUrl;
  if (url === undefined)
    throw new CannotStart(`Nothing runs on ${dataDir}: start it with "npm start", or set ORDERS_URL and INTERNAL_SECRET.`);
  return { url, internalSecret: secretOf(config) };
}
