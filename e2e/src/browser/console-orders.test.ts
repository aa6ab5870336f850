import type { Browser, Page } from 'playwright-core';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { eventually } from '@holdfast/testing/eventually';
import { aUser, textOf } from '../faults/order-life.js';
import { openMarketplace, sharedPlatform, type Marketplace } from '../testing/shared-platform.js';
import type { PlatformFacts } from '../testing/provide-platform.js';
import { openConsole, settled } from './open-console.js';
import { writeOrders } from './many-orders.js';
import { browserStartTimeoutMs, openPage, startBrowser, type Layout, type OpenPage } from './open-page.js';

jest.setTimeout(240_000);

let platform: PlatformFacts;
let browser: Browser;
let marketplace: Marketplace;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), startBrowser()]);
  marketplace = await openMarketplace(platform, 'Crafts & Co <b>');
}, browserStartTimeoutMs);

afterAll(() => browser.close());

const origin = (): string => new URL(platform.baseUrl).origin;

async function open(path: string, { key = marketplace.key, layout = 'desktop' }: { key?: string; layout?: Layout } = {}) {
  const opened = await openConsole(browser, { origin: origin(), path, key, layout });
  await settled(opened);
  return opened;
}

async function aKey(scopes: readonly string[]): Promise<{ readonly id: string; readonly key: string }> {
  const headers = { authorization: `Bearer ${platform.masterKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'console', scopes, marketplaceId: marketplace.id });
  const response = await fetch(`${platform.baseUrl}/auth/api-keys`, { method: 'POST', headers, body });
  const { data } = (await response.json()) as { readonly data: { readonly id: string; readonly key: string } };
  return data;
}

/** An order whose texts a careless page would take for HTML. */
async function anOrder(): Promise<{ readonly id: string; readonly title: string; readonly buyerId: string }> {
  const { api } = marketplace;
  const [buyerId, sellerId] = [await aUser(api, 'buyer'), await aUser(api, 'seller')];
  await api.post(`/users/${buyerId}/balance/credit`, { amount: '1234.50', currency: 'USD' });
  const title = '<img src=x onerror=alert(1)> Logo';
  const { data } = await api.post('/orders', { buyerId, sellerId, amount: '1234.50', title });
  return { id: textOf(data, 'id'), title, buyerId };
}

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const stored = 'JSON.stringify([location.href, localStorage, document.cookie])';

describe('an API key', () => {
  it('signs a tab in, which stays so after a reload; other tabs, the address and lasting storage do not know it', async () => {
    const opened = await openPage(browser, `${origin()}/console/orders`, 'desktop');
    const { page } = opened;
    await signIn(page, marketplace.key);
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    await page.getByText('Crafts & Co <b>').first().waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    expect(await page.evaluate(stored)).not.toContain(marketplace.key);
    const otherTab = await page.context().newPage();
    await otherTab.goto(`${origin()}/console`);
    await otherTab.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(opened).toMatchObject({ problems: [], outsideRequests: [] });
    await opened.close();
  });

  it('that is wrong is refused with code and request id', async () => {
    const { page, close } = await openPage(browser, `${origin()}/console`, 'desktop');
    await signIn(page, 'hk_live_nobody');
    const alert = page.getByRole('alert');
    await alert.getByText('UNAUTHORIZED').waitFor();
    expect(await alert.innerText()).toMatch(/Request\s+[0-9a-f-]{36}/);
    await close();
  });

  it('that is revoked leads back to the sign-in page', async () => {
    const { id, key } = await aKey(['read']);
    const { page, close } = await open('/orders', { key });
    const headers = { authorization: `Bearer ${platform.masterKey}` };
    expect((await fetch(`${platform.baseUrl}/auth/api-keys/${id}`, { method: 'DELETE', headers })).status).toBe(200);
    // The platform ends its event stream, and the next connection is refused.
    await page.getByText('no longer valid').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await close();
  });

  it('with the scope read sees an order and is offered no action', async () => {
    const { key } = await aKey(['read']);
    const { id, title } = await anOrder();
    const { page, close } = await open(`/orders/${id}`, { key });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain(title);
    const buttons = await page.locator('main').getByRole('button').allInnerTexts();
    expect(buttons.filter((text) => text !== '')).toEqual(['Copy as']);
    expect(await page.getByRole('link', { name: 'Operations' }).count()).toBe(0);
    await close();
  });
});

describe('an order', () => {
  /** Presses the button twice, as impatient people do, and counts what was sent. */
  async function act({ page }: OpenPage, name: string, fill?: string): Promise<number> {
    let sent = 0;
    page.on('request', (request) => void (sent += request.method() === 'POST' ? 1 : 0));
    await page.getByRole('button', { name, exact: true }).click();
    const dialog = page.getByRole('dialog');
    if (fill !== undefined) await dialog.getByRole('textbox').fill(fill);
    await dialog.getByRole('button', { name, exact: true }).dblclick();
    await dialog.waitFor({ state: 'detached' });
    page.removeAllListeners('request');
    return sent;
  }

  it('is walked to its end, each step sent once, while another tab follows without a reload', async () => {
    const { id } = await anOrder();
    const [acting, watching] = [await open(`/orders/${id}`), await open(`/orders/${id}`, { layout: 'phone' })];
    const isShown = (text: string) => watching.page.locator('h1').getByText(text, { exact: true }).waitFor();
    expect(await act(acting, 'Reserve funds')).toBe(1);
    await isShown('Funds reserved');
    expect((await marketplace.api.post(`/orders/${id}/escrow`)).status).toBe(201);
    await acting.page.getByRole('button', { name: 'Fund escrow' }).waitFor(); // by its event
    expect(await act(acting, 'Fund escrow')).toBe(1);
    await isShown('In progress');
    expect(await act(acting, 'Release to seller', 'Work accepted')).toBe(1);
    await isShown('Closed');
    await acting.page.getByText('Platform: Fees').first().waitFor();
    expect(await acting.page.locator('main').innerText()).toContain('1,172.78');
    expect([acting.problems, watching.problems, acting.outsideRequests]).toEqual([[], [], []]);
    await Promise.all([acting.close(), watching.close()]);
  });
});

describe('the console on a phone', () => {
  it.each(['', '/orders', '/users', 'order', 'user'])('fits the screen: /console%s', async (path) => {
    const { id, buyerId } = await anOrder();
    const opened = await open(path === 'order' ? `/orders/${id}` : path === 'user' ? `/users/${buyerId}` : path, {
      layout: 'phone',
    });
    expect(await opened.page.evaluate('document.documentElement.scrollWidth > window.innerWidth')).toBe(false);
    await opened.page.getByRole('button', { name: 'Open menu' }).click();
    await opened.page.getByRole('dialog').getByRole('link', { name: 'Disputes' }).waitFor();
    expect(opened.problems).toEqual([]);
    await opened.close();
  });
});

/** `npm run faults -- browser`. The indexes that the list reads have tests of their plans. */
if (isFullMatrix) {
  describe('the list of orders', () => {
    const rowsMax = 50;

    /** What one look at the list costs: its requests, and the orders that it shows. */
    async function look() {
      const { page, problems, close } = await open('/orders');
      await settled({ page }); // its own requests do not count
      const requests: string[] = [];
      page.on('request', (request) => void requests.push(new URL(request.url()).pathname));
      await page.reload();
      await page.locator('tbody tr').first().waitFor();
      await settled({ page });
      const rows = await page.locator('tbody tr').count();
      return { page, problems, close, rows, requests: new Set(requests.filter((path) => path.startsWith('/api/'))) };
    }

    it('asks for the same with 100,000 orders as with 100, and turns its pages', async () => {
      const { id } = await anOrder();
      await writeOrders(platform, id, 100);
      const few = await look();
      await few.close();
      await writeOrders(platform, (await anOrder()).id, 100_000);
      const many = await look();
      expect([many.requests, many.rows]).toEqual([few.requests, few.rows]);
      expect(many.rows).toBeLessThanOrEqual(rowsMax);
      const first = await many.page.locator('tbody').innerText();
      await many.page.getByRole('button', { name: 'Next page' }).click();
      await many.page.waitForFunction('document.location.search.includes("cursor")');
      // The page before it stays on the screen until the next one is there.
      await eventually(async () => expect(await many.page.locator('tbody').innerText()).not.toBe(first));
      expect(many.problems).toEqual([]);
      await many.close();
    });
  });
}
