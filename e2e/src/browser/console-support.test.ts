import type { Browser } from 'playwright-core';
import { eventually } from '@holdfast/testing/eventually';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { anOrder, aUser, textOf } from '../faults/order-life.js';
import { apiOf, type Api, type JsonObject } from '../testing/api.js';
import type { PlatformFacts } from '../testing/provide-platform.js';
import { sharedPlatform } from '../testing/shared-platform.js';
import { startWebhookReceiver } from '../testing/webhook-receiver.js';
import { openConsole, seriousViolations, settled } from './open-console.js';
import { browserStartTimeoutMs, startBrowser, type OpenPage } from './open-page.js';

jest.setTimeout(240_000);

let platform: PlatformFacts;
let browser: Browser;
let api: Api;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), startBrowser()]);
  api = apiOf(platform.baseUrl, platform.masterKey);
}, browserStartTimeoutMs);

afterAll(() => browser.close());

/** In a tab with the master key, which sees every area. */
const open = async (path: string): Promise<OpenPage> => {
  const opened = await openConsole(browser, { origin: platform.url, path, key: platform.masterKey });
  await settled(opened);
  return opened;
};

/** A careless page would run it. */
const harmfulText = '<img src=x onerror=alert(1)>';

type Disputed = { readonly orderId: string; readonly disputeId: string; readonly buyerId: string };

async function aDispute(): Promise<Disputed> {
  const { id: orderId, buyerId } = await anOrder(api);
  for (const step of ['reserve', 'escrow', 'escrow/fund'])
    expect((await api.post(`/orders/${orderId}/${step}`)).status).toBe(201);
  const evidence = [harmfulText, 'javascript:alert(1)', 'https://example.com/photo'];
  const opened = { orderId, openedBy: 'BUYER', reason: 'QUALITY_ISSUE', evidence };
  expect((await api.post(`/orders/${orderId}/resolution/dispute`, opened)).status).toBe(201);
  const { data } = await api.get(`/orders/${orderId}`);
  return { orderId, disputeId: textOf(data['dispute'], 'id'), buyerId };
}

describe('a dispute', () => {
  it('is assigned and resolved by a split, after a preview of the shares; evidence is text and https links', async () => {
    const { disputeId, buyerId } = await aDispute();
    const opened = await open(`/disputes/${disputeId}`);
    const { page } = opened;
    expect(await page.locator('main a[target=_blank]').allInnerTexts()).toEqual(['https://example.com/photo']);
    await page.getByRole('button', { name: 'Assign' }).click();
    await page.getByLabel('Who decides').fill('Grace');
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click();
    await page.getByRole('button', { name: 'Resolve' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('A part to each of them').check();
    await dialog.getByLabel('Amount for the seller').fill('30');
    const preview = dialog.getByRole('table', { name: 'Who gets what' });
    await eventually(async () => expect(await preview.innerText()).toMatch(/Seller gets\s+\d[^]*Buyer gets\s+70\.00 USD/));
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).search);
    });
    await dialog.getByRole('button', { name: 'Resolve and pay out' }).dblclick();
    await page.getByRole('heading', { name: 'Resolution' }).waitFor();
    expect(sent).toEqual(['']);
    expect((await api.get(`/users/${buyerId}/balance`)).data).toMatchObject({ available: '70.00' });
    expect(opened).toMatchObject({ problems: [], outsideRequests: [] });
    await opened.close();
  });
});

describe('a reconciliation case', () => {
  it('about late money is decided, and credits the user', async () => {
    const userId = await aUser(api, 'late');
    await api.post(`/users/${userId}/payment-account/link`, { email: 'late@example.com' });
    const id = textOf((await api.post('/topups', { userId, amount: '40.00' })).data, 'id');
    await api.post(`/topups/${id}/cancel`, {});
    await api.post(`/sandbox/topups/${id}/confirm`, {});
    await eventually(async () => expect(await casesOf(userId)).toContain('late_money'));
    const opened = await open(`/money/cases?userId=${userId}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Decide' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Credit the user').click();
    await dialog.getByLabel('Why').fill('The payer called.');
    await dialog.getByRole('button', { name: 'Decide' }).click();
    await page.getByRole('button', { name: 'Look' }).waitFor();
    await eventually(async () => expect((await api.get(`/users/${userId}/balance`)).data).toMatchObject({ available: '40.00' }));
    expect(opened).toMatchObject({ problems: [], outsideRequests: [] });
    await opened.close();
  });

  async function casesOf(userId: string): Promise<string> {
    const headers = { authorization: `Bearer ${platform.masterKey}` };
    return (await fetch(`${platform.baseUrl}/reconciliation/cases?userId=${userId}`, { headers })).text();
  }
});

describe('a webhook endpoint', () => {
  it('is created, shows its secret once, and has a log of what it got', async () => {
    const received: string[] = [];
    const receiver = await startWebhookReceiver({ take: async (body) => void received.push(body), answer: harmfulText });
    const opened = await open('/developers');
    const { page } = opened;
    await page.getByRole('button', { name: 'New endpoint' }).click();
    const address = `127.0.0.1:${receiver.port.toString()}/holdfast`;
    await page.getByLabel('Address').fill(`http://${address}`);
    await page.getByRole('button', { name: 'Create the endpoint' }).click();
    const secret = page.getByText(/whsec_/);
    await secret.waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const endpoint = page.getByRole('row').filter({ hasText: address }).getByRole('link', { name: /whk_/ });
    const id = (await endpoint.getAttribute('href'))?.split('/').at(-1) ?? '';
    await endpoint.click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await eventually(() => expect(received.join()).toContain('"test":true'));
    await page.getByRole('link', { name: /whd_/ }).first().click();
    await page.getByRole('heading', { name: 'Attempts' }).waitFor();
    await eventually(async () => expect(await page.locator('main').innerText()).toMatch(/Delivered[^]*200/));
    expect(await page.getByText(harmfulText).count()).toBe(1);
    expect(await page.content()).not.toContain('whsec_');
    expect(opened).toMatchObject({ problems: [], outsideRequests: [] });
    await opened.close();
    expect((await api.delete(`/webhook-endpoints/${id}`)).status).toBe(200);
    receiver.stop();
  });
});

/** An id for each page of an object. */
async function shownRecords(): Promise<Readonly<Record<string, string>>> {
  const { orderId, disputeId, buyerId } = await aDispute();
  const newId = async (path: string, body: JsonObject) => textOf((await api.post(path, body)).data, 'id');
  await api.post(`/users/${buyerId}/payment-account/link`, { email: 'shown@example.com' });
  await api.post(`/users/${buyerId}/balance/credit`, { amount: '5.00' });
  const endpoint = await newId('/webhook-endpoints', { url: 'http://127.0.0.1:9/refused' });
  const { entries } = (await api.get(`/orders/${orderId}/timeline`)).data as { readonly entries: readonly JsonObject[] };
  return {
    order: orderId,
    dispute: disputeId,
    user: buyerId,
    topup: await newId('/topups', { userId: buyerId, amount: '4.00' }),
    withdrawal: await newId('/withdrawals', {
      ...{ userId: buyerId, amount: '4.00', currency: 'USD' },
      destination: { type: 'bank', accountRef: 'account-1' },
    }),
    endpoint,
    delivery: await newId(`/webhook-endpoints/${endpoint}/test`, {}),
    saga: textOf(
      entries.find(({ kind }) => kind === 'saga_step'),
      'runId',
    ),
  };
}

/** Each kind of page; with the full matrix every page. */
const everyRun = [
  '/',
  '/orders/:order',
  '/disputes/:dispute',
  '/money/proof',
  '/events',
  '/developers/sandbox',
  '/operations/providers',
];
const others = [
  '/orders',
  '/users',
  '/users/:user',
  '/disputes',
  '/money',
  '/money/topups/:topup',
  '/money/withdrawals',
  '/money/withdrawals/:withdrawal',
  '/money/cases',
  '/money/reports',
  '/money/treasury',
  '/events/history',
  '/events/audit',
  '/developers',
  '/developers/webhooks/:endpoint',
  '/developers/deliveries/:delivery',
  '/developers/keys',
  '/operations',
  '/operations/sagas/:saga',
  '/operations/parked',
];

describe('the pages of the console', () => {
  let shown: Readonly<Record<string, string>>;
  beforeAll(async () => void (shown = await shownRecords()));

  it.each(isFullMatrix ? [...everyRun, ...others] : everyRun)(
    '%s has nothing serious for axe-core, in light and dark, and fits a phone',
    async (pattern) => {
      const opened = await open(pattern.replace(/:(\w+)/, (_all, name: string) => shown[name] ?? ''));
      const { page } = opened;
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect([colorScheme, await seriousViolations(page)]).toEqual([colorScheme, []]);
      }
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect(opened).toMatchObject({ problems: [], outsideRequests: [] });
      await opened.close();
    },
  );
});
