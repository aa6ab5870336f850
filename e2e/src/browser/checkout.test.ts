import type { Browser } from 'puppeteer-core';
import { eventually } from '@holdfast/testing/eventually';
import { newDataDir, startAllInOne, type RunningInstallation } from '../testing/installation.js';
import { killLeftPrograms } from '../testing/program.js';
import { openPage, startBrowser, viewports } from './open-page.js';

// The first run on a machine may install Chromium.
jest.setTimeout(600_000);

const timeoutMs = 60_000;

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

type Topup = { readonly id: string; readonly status: string; readonly confirmationUri: string };

async function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Topup> {
  const response = await fetch(`${installation.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${installation.masterKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect([path, response.ok]).toEqual([path, true]);
  return ((await response.json()) as { readonly data: Topup }).data;
}

async function newTopup(): Promise<Topup> {
  const userId = installation.buyerId;
  await call('POST', `/users/${userId}/payment-account/link`, { email: 'buyer@example.com' });
  return call('POST', '/topups', { userId, amount: '25.00' });
}

describe('the checkout page on a phone', () => {
  it.each([
    ['Pay', 'TOPUP_SUCCEEDED'],
    ['Let it be declined', 'TOPUP_FAILED'],
    ['Cancel', 'TOPUP_CANCELED'],
  ])('%s ends the top-up as %s, and the browser returns to the platform', async (label, status) => {
    const { id, confirmationUri } = await newTopup();
    const opened = await openPage(browser, confirmationUri, viewports.phone);
    const { page } = opened;
    expect(await page.evaluate('document.body.innerText')).toContain('25.00 USD');
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    expect(opened).toMatchObject({ problems: [], outsideRequests: [] });
    await Promise.all([page.waitForNavigation(), page.locator(`button::-p-text(${label})`).click()]);
    expect(new URL(page.url()).pathname).toBe(`/api/v1/topups/${id}/callback`);
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    await eventually(async () => expect((await call('GET', `/topups/${id}`)).status).toBe(status), { timeoutMs });
    expect(opened.problems).toEqual([]);
    await page.browserContext().close();
  });
});
