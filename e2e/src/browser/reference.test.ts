import type { Browser } from 'puppeteer-core';
import { eventually } from '@holdfast/testing/eventually';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { newDataDir, startAllInOne, type RunningInstallation } from '../testing/installation.js';
import { killLeftPrograms } from '../testing/program.js';
import { openPage, startBrowser, viewports, type OpenPage } from './open-page.js';

// The first run on a machine may install Chromium.
jest.setTimeout(600_000);

const timeoutMs = 60_000;
/** Scalar's name of the only document, with which its element ids begin. */
const documentName = 'api-1';
const keyField = 'input[placeholder="Token"]';

let installation: RunningInstallation;
let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
  installation = await startAllInOne(newDataDir());
});

afterAll(async () => {
  await browser.close();
  installation.signal('SIGTERM');
  await installation.ended;
  await killLeftPrograms();
});

const open = (hash: string, viewport: keyof typeof viewports) =>
  openPage(browser, `${new URL(installation.baseUrl).origin}/docs${hash}`, viewports[viewport]);

const idOf = (hash: string): string => `${documentName}/${hash.slice(1)}`;

/** The text of an operation or event, once the page has scrolled to it. */
function landedOn({ page, viewport }: Pick<OpenPage, 'page' | 'viewport'>, hash: string): Promise<string> {
  const section = `document.getElementById('${idOf(hash)}')`;
  return eventually(
    async () => {
      const top = Number(await page.evaluate(`${section}.getBoundingClientRect().top`));
      expect(Math.abs(top)).toBeLessThan(viewport.height / 2);
      return String(await page.evaluate(`${section}.innerText`));
    },
    { timeoutMs },
  );
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
const shownOn = (viewport: keyof typeof chosen) =>
  places.filter(([hash]) => isFullMatrix || chosen[viewport].some((part) => hash.includes(part)));

describe.each([
  { viewport: 'desktop', shown: shownOn('desktop') },
  { viewport: 'phone', shown: shownOn('phone') },
] as const)('the API reference on a $viewport', ({ viewport, shown }) => {
  it.each(shown)('opens %s at "%s", without problems and without requests to other hosts', async (hash, title) => {
    const opened = await open(hash, viewport);
    expect(await landedOn(opened, hash)).toContain(title);
    expect(opened).toMatchObject({ problems: [], outsideRequests: [] });
    await opened.page.browserContext().close();
  });
});

describe('a request from the API reference', () => {
  const hash = '#tag/balances/balances.get';

  it('has the demo buyer filled in, and stores the key until the tab is closed', async () => {
    const opened = await open(hash, 'desktop');
    const { page } = opened;
    await landedOn(opened, hash);
    await page.locator(keyField).fill(installation.masterKey);
    await page.locator(`[id="${idOf(hash)}"] ::-p-text(Test Request)`).click();
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.url().includes('/balance')),
      page.locator('button::-p-text(Send Request)').click(),
    ]);
    expect(new URL(response.url()).pathname).toBe(`/api/v1/users/${installation.buyerId}/balance`);
    expect(response.status()).toBe(200);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(installation.masterKey);
    await page.reload();
    await eventually(
      async () => expect(await page.evaluate(`document.querySelector('${keyField}')?.value`)).toBe(installation.masterKey),
      { timeoutMs },
    );
    expect(opened).toMatchObject({ problems: [], outsideRequests: [] });
    const other = await open('', 'desktop');
    expect(await other.page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}');
  });

  it('goes to a path without prefix in the account API, with a token of its own', async () => {
    const { origin } = new URL(installation.baseUrl);
    const account = { email: 'reader@example.com', password: 'correct horse battery', name: 'Reader' };
    const headers = { 'content-type': 'application/json' };
    const registered = await fetch(`${origin}/auth/register`, { method: 'POST', headers, body: JSON.stringify(account) });
    const { data } = (await registered.json()) as { readonly data: { readonly token: string } };
    const ofAccounts = '#tag/account-api/accounts.getBalances';
    const opened = await open(ofAccounts, 'desktop');
    const { page } = opened;
    await landedOn(opened, ofAccounts);
    await page.locator(keyField).fill(data.token);
    await page.locator(`[id="${idOf(ofAccounts)}"] ::-p-text(Test Request)`).click();
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.url().includes('/balances')),
      page.locator('button::-p-text(Send Request)').click(),
    ]);
    expect([response.url(), response.status()]).toEqual([`${origin}/balances`, 200]);
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe(JSON.stringify({ 'holdfast-account-token': data.token }));
    expect(opened).toMatchObject({ problems: [], outsideRequests: [] });
  });
});
