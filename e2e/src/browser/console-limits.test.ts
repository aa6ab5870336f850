import type { Browser } from 'playwright-core';
import { eventually } from '@holdfast/testing/eventually';
import { openMarketplace, sharedPlatform, type Marketplace } from '../testing/shared-platform.js';
import type { PlatformFacts } from '../testing/provide-platform.js';
import { openConsole, settled } from './open-console.js';
import { browserStartTimeoutMs, startBrowser } from './open-page.js';

jest.setTimeout(240_000);

let platform: PlatformFacts;
let browser: Browser;
let marketplace: Marketplace;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), startBrowser()]);
  marketplace = await openMarketplace(platform, 'At rest');
}, browserStartTimeoutMs);

afterAll(() => browser.close());

const bytesMax = 350_000;

it('the sign-in form is usable after at most 350 kB, compressed, with an empty cache', async () => {
  const page = await browser.newPage();
  const bytes: Promise<number>[] = [];
  page.on('requestfinished', (request) => void bytes.push(request.sizes().then(({ responseBodySize }) => responseBodySize)));
  await page.goto(`${platform.url}/console`, { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  const sum = (await Promise.all(bytes)).reduce((total, size) => total + size, 0);
  expect(sum).toBeGreaterThan(100_000);
  expect(sum).toBeLessThanOrEqual(bytesMax);
  await page.close();
});

const requestsMax = 10;

/** The pages that ask again by themselves, because no event reports what they show. */
it.each(['/', '/developers/webhooks/:endpoint', '/operations', '/operations/providers'])(
  '%s makes at most ten requests in a minute at rest',
  async (pattern) => {
    const { data } = await marketplace.api.post('/webhook-endpoints', { url: 'http://127.0.0.1:9/refused' });
    const path = pattern.replace(':endpoint', String(data['id']));
    const isOfOperators = path.startsWith('/operations');
    const key = isOfOperators ? platform.masterKey : marketplace.key;
    const { page, close } = await openConsole(browser, { origin: platform.url, path, key, hasClock: true });
    await settled({ page });
    const open = new Set<unknown>();
    let sent = 0;
    page.on('request', (request) => {
      sent += 1;
      if (!request.url().includes('/api/v1/events')) open.add(request);
    });
    page.on('requestfinished', (request) => void open.delete(request));
    page.on('requestfailed', (request) => void open.delete(request));
    for (let seconds = 0; seconds < 60; seconds += 5) {
      await page.clock.runFor(5_000);
      await eventually(() => expect(open.size).toBe(0));
    }
    expect(sent).toBeLessThanOrEqual(requestsMax);
    await close();
  },
);
