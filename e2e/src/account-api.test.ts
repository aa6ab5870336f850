import { purposeKeys } from '@holdfast/kernel/secrets';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { describeStrangers, describeTokens } from './accounts/refusals.js';
import { apiOf } from './testing/api.js';
import type { PlatformFacts } from './testing/provide-platform.js';
import { openMarketplace, sharedPlatform } from './testing/shared-platform.js';

jest.setTimeout(120_000);

let platform: PlatformFacts;
let key: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  ({ key } = await openMarketplace(platform, 'Accounts'));
}, serverStartTimeoutMs);

/** People belong to the default marketplace, which the master key opens. */
const accounts = () => ({ baseUrl: platform.baseUrl, api: apiOf(platform.baseUrl, platform.masterKey) });

describeStrangers(accounts);
describeTokens({
  platform: accounts,
  tokenKey: () => purposeKeys(platform.internalSecret)('identity login tokens'),
  keys: () => [platform.masterKey, key],
});
