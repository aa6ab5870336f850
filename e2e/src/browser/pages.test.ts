import type { Browser } from 'playwright-core';
import { eventually } from '@holdfast/testing/eventually';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { textOf } from '../faults/order-life.js';
import { apiOf, type Api } from '../testing/api.js';
import type { PlatformFacts } from '../testing/provide-platform.js';
import { sharedPlatform } from '../testing/shared-platform.js';
import { browserStartTimeoutMs, layouts, openPage, startBrowser, type Layout, type OpenPage } from './open-page.js';

jest.setTimeout(240_000);

/** Scalar's name of the only document, with which its element ids begin. */
const documentName = 'api-1';
const keyField = 'input[placeholder="Token"]';

let platform: PlatformFacts;
let browser: Browser;
let api: Api;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), startBrowser()]);
  api = apiOf(platform.baseUrl, platform.masterKey);
}, browserStartTimeoutMs);

afterAll(() => browser.close());

const isTooWide = 'document.documentElement.scrollWidth > window.innerWidth';

/** The colours and measures of the page of a payment. */
const appearance = `JSON.stringify(['body', 'main', 'h1', '.amount', '.note'].map((part) => {
  const { color, backgroundColor, font, padding, margin } = getComputedStyle(document.querySelector(part));
  return { part, color, backgroundColor, font, padding, margin };
}))`;

describe('the checkout page on a phone', () => {
  async function newTopup(): Promise<{ readonly id: string; readonly confirmationUri: string }> {
    const userId = platform.buyerId;
    await api.post(`/users/${userId}/payment-account/link`, { email: 'buyer@example.com' });
    const { data } = await api.post('/topups', { userId, amount: '25.00' });
    return { id: textOf(data, 'id'), confirmationUri: textOf(data, 'confirmationUri') };
  }

  it.each([
    ['Pay', 'TOPUP_SUCCEEDED'],
    ['Let it be declined', 'TOPUP_FAILED'],
    ['Cancel', 'TOPUP_CANCELED'],
  ])('%s ends the top-up as %s, and the browser returns to a page that looks the same', async (name, status) => {
    const { id, confirmationUri } = await newTopup();
    const opened = await openPage(browser, confirmationUri, 'phone');
    const { page } = opened;
    expect(await page.evaluate('document.body.innerText')).toContain('25.00 USD');
    expect(await page.evaluate(isTooWide)).toBe(false);
    const checkout = await page.evaluate(appearance);
    expect(opened).toMatchObject({ problems: [], outsideRequests: [] });
    await page.getByRole('button', { name, exact: true }).click();
    await page.waitForURL(({ pathname }) => pathname === `/api/v1/topups/${id}/callback`);
    expect([await page.evaluate(isTooWide), await page.evaluate(appearance)]).toEqual([false, checkout]);
    await eventually(async () => expect((await api.get(`/topups/${id}`)).data).toMatchObject({ status }));
    expect(opened.problems).toEqual([]);
    await opened.close();
  });
});

const open = (hash: string, layout: Layout) => openPage(browser, `${platform.url}/docs${hash}`, layout);

const idOf = (hash: string): string => `${documentName}/${hash.slice(1)}`;

/** The text of an operation or event, once the page has scrolled to it. */
function landedOn({ page, layout }: Pick<OpenPage, 'page' | 'layout'>, hash: string): Promise<string> {
  const section = `document.getElementById('${idOf(hash)}')`;
  return eventually(async () => {
    const top = Number(await page.evaluate(`${section}.getBoundingClientRect().top`));
    expect(Math.abs(top)).toBeLessThan(layouts[layout].viewport.height / 2);
    return String(await page.evaluate(`${section}.innerText`));
  });
}

const places = [
  ['#tag/orders/orders.create', 'Create an order'],
  ['#tag/balances/balances.credit', 'Credit a balance'],
  ['#tag/events/webhook/order.released', 'order.released'],
  ['#tag/platform/platform.getDetailedHealth', 'Get platform health'],
  ['#tag/account-api/projects.initEscrow', 'Pay into escrow'],
] as const;

/** The layouts differ, and each is the same for every route and for every event. */
const chosen = { desktop: ['order.released'], phone: ['orders.create'] } as const;
const shownOn = (layout: Layout) => places.filter(([hash]) => isFullMatrix || chosen[layout].some((part) => hash.includes(part)));

describe.each([
  { layout: 'desktop', shown: shownOn('desktop') },
  { layout: 'phone', shown: shownOn('phone') },
] as const)('the API reference on a $layout', ({ layout, shown }) => {
  it.each(shown)('opens %s at "%s", without problems and without requests to other hosts', async (hash, title) => {
    const opened = await open(hash, layout);
    expect(await landedOn(opened, hash)).toContain(title);
    expect(opened).toMatchObject({ problems: [], outsideRequests: [] });
    await opened.close();
  });
});

describe('the guides on a phone', () => {
  it('lead from the index to a guide, without problems and without requests to other hosts', async () => {
    const opened = await openPage(browser, `${platform.url}/docs/guides`, 'phone');
    await opened.page.getByRole('link', { name: 'Quick start' }).click();
    await opened.page.waitForURL(({ pathname }) => pathname === '/docs/guides/quick-start');
    expect(await opened.page.evaluate(`document.querySelector('h1').innerText`)).toBe('Quick start');
    expect(await opened.page.evaluate(isTooWide)).toBe(false);
    expect(opened).toMatchObject({ problems: [], outsideRequests: [] });
    await opened.close();
  });
});

describe('a request from the API reference', () => {
  const hash = '#tag/balances/balances.get';

  /** Fills in the credential, sends the request of the operation and returns its response. */
  async function send({ page }: OpenPage, operation: string, credential: string, pathname: string) {
    await page.locator(keyField).first().fill(credential);
    await page
      .locator(`[id="${idOf(operation)}"]`)
      .getByText('Test Request')
      .first()
      .click();
    const [response] = await Promise.all([
      page.waitForResponse((one) => new URL(one.url()).pathname === pathname),
      page.getByRole('button', { name: 'Send Request' }).first().click(),
    ]);
    return response.status();
  }

  it('has the demo buyer filled in, and stores the key until the tab is closed', async () => {
    const opened = await open(hash, 'desktop');
    const { page } = opened;
    await landedOn(opened, hash);
    const { buyerId, masterKey } = platform;
    expect(await send(opened, hash, masterKey, `/api/v1/users/${buyerId}/balance`)).toBe(200);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(masterKey);
    await page.reload();
    await eventually(async () => expect(await page.evaluate(`document.querySelector('${keyField}')?.value`)).toBe(masterKey));
    expect(opened).toMatchObject({ problems: [], outsideRequests: [] });
    const otherTab = await page.context().newPage();
    await otherTab.goto(`${platform.baseUrl}/config`);
    expect(await otherTab.evaluate('JSON.stringify(sessionStorage)')).toBe('{}');
    await opened.close();
  });

  it('goes to a path without prefix in the account API, with a separate token', async () => {
    const email = `reader-${crypto.randomUUID()}@example.com`;
    const registered = await fetch(`${platform.url}/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'correct horse battery', name: 'Reader' }),
    });
    const { data } = (await registered.json()) as { readonly data: { readonly token: string } };
    const ofAccounts = '#tag/account-api/accounts.getBalances';
    const opened = await open(ofAccounts, 'desktop');
    await landedOn(opened, ofAccounts);
    expect(await send(opened, ofAccounts, data.token, '/balances')).toBe(200);
    const stored = await opened.page.evaluate('JSON.stringify(sessionStorage)');
    expect(stored).toBe(JSON.stringify({ 'holdfast-account-token': data.token }));
    expect(opened).toMatchObject({ problems: [], outsideRequests: [] });
    await opened.close();
  });
});
