import { testServerFacts } from '@holdfast/testing/servers';
import { textOf } from '../faults/order-life.js';
import { apiOf, type Api } from './api.js';
import type { PlatformFacts } from './provide-platform.js';

/** The platform that suites share, for `beforeAll` with `serverStartTimeoutMs`: the first suite waits for its start. */
export async function sharedPlatform(): Promise<PlatformFacts> {
  return (await testServerFacts('platform')) as PlatformFacts;
}

/** With which the commands find it. */
export function settingsOf({ dataDir, internalSecret }: PlatformFacts) {
  return { HOLDFAST_DATA_DIR: dataDir, INTERNAL_SECRET: internalSecret };
}

/** A marketplace with a key of every scope. */
export type Marketplace = { readonly id: string; readonly key: string; readonly api: Api };

/** Opens a marketplace, so that a suite sees nothing of the others. */
export async function openMarketplace(
  { baseUrl, masterKey }: Pick<PlatformFacts, 'baseUrl' | 'masterKey'>,
  name: string,
): Promise<Marketplace> {
  const master = apiOf(baseUrl, masterKey);
  const id = textOf((await master.post('/marketplaces', { name })).data, 'id');
  const created = await master.post('/auth/api-keys', { name, scopes: ['*'], marketplaceId: id });
  const key = textOf(created.data, 'key');
  return { id, key, api: apiOf(baseUrl, key) };
}
