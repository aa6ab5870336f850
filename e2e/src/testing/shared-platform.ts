import { eventually } from '@holdfast/testing/eventually';
import { testServerFacts } from '@holdfast/testing/servers';
import { textOf } from '../faults/order-life.js';
import { apiOf, type Api, type JsonObject } from './api.js';
import type { PlatformFacts } from './provide-platform.js';

/** The platform that suites share, for `beforeAll` with `serverStartTimeoutMs`: the first suite waits for its start. */
export async function sharedPlatform(): Promise<PlatformFacts> {
  return (await testServerFacts('platform')) as PlatformFacts;
}

/** The settings that lead commands to it. */
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
  const id = await created(master, '/marketplaces', { name }, 'id');
  const key = await created(master, '/auth/api-keys', { name, scopes: ['*'], marketplaceId: id }, 'key');
  return { id, key, api: apiOf(baseUrl, key) };
}

/** A busy platform may refuse a request for a moment (503); a suite that only needs a marketplace asks again. */
function created(master: Api, path: string, body: JsonObject, field: string): Promise<string> {
  return eventually(async () => {
    const { status, code, data } = await master.post(path, body);
    expect([path, status, code]).toEqual([path, 201, undefined]);
    return textOf(data, field);
  });
}
