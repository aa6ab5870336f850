import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { systemClock } from '@holdfast/kernel/context';
import type { PlatformFacts } from '../testing/provide-platform.js';
import { sharedPlatform } from '../testing/shared-platform.js';
import { browserStartTimeoutMs, openPage, startBrowser } from './open-page.js';

jest.setTimeout(120_000);

let platform: PlatformFacts;
let browser: Browser;

beforeAll(async () => void ([platform, browser] = await Promise.all([sharedPlatform(), startBrowser()])), browserStartTimeoutMs);
afterAll(() => browser.close());

/** The SDK as the bundler of a web page makes it: one script, without anything of Node. */
async function bundled(): Promise<string> {
  const entry = fileURLToPath(new URL('../../../clients/sdk/src/index.ts', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'sdk',
    platform: 'browser',
  });
  return outputFiles[0]?.text ?? '';
}

function webhook(secret: Buffer) {
  const body = JSON.stringify({ eventId: 'evt_1', eventType: 'order.created' });
  const timestamp = String(Math.floor(systemClock().epochMs() / 1_000));
  const signature = createHmac('sha256', secret).update(`evt_1.${timestamp}.${body}`).digest('base64');
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  return { body, headers, secret: `whsec_${secret.toString('base64')}` };
}

describe('the SDK in a browser', () => {
  it('calls the platform, lists, reads the stream and verifies a webhook', async () => {
    const { page, problems, close } = await openPage(browser, `${new URL(platform.baseUrl).origin}/docs`, 'desktop');
    const given = { key: platform.masterKey, buyerId: platform.buyerId, ...webhook(Buffer.alloc(32, 7)) };
    const result: unknown = await page.evaluate(`(async () => {
      ${await bundled()}
      const { key, buyerId, body, headers, secret } = ${JSON.stringify(given)};
      const holdfast = new sdk.Holdfast({ apiKey: key, baseUrl: location.origin });
      const stream = holdfast.events.stream({ types: ['balance.credited'] });
      const next = stream[Symbol.asyncIterator]().next();
      await holdfast.balances.credit(buyerId, { amount: '1.00', currency: 'USD' });
      const { id } = await holdfast.users.get(buyerId);
      const listed = [];
      for await (const user of holdfast.users.list({ limit: 1 })) { listed.push(user.id); if (listed.length === 2) break; }
      const { eventId } = await sdk.webhooks.verify(body, headers, secret);
      const refused = await sdk.verify(body + ' ', headers, secret).then(() => 'accepted', ({ code }) => code);
      return { id, listed: new Set(listed).size, eventType: (await next).value.eventType, eventId, refused };
    })()`);
    expect(result).toEqual({
      id: platform.buyerId,
      listed: 2,
      eventType: 'balance.credited',
      eventId: 'evt_1',
      refused: 'WEBHOOK_SIGNATURE_INVALID',
    });
    expect(problems).toEqual([]);
    await close();
  });
});
