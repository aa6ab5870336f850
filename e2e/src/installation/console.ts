import type { Browser } from 'playwright-core';
import { openConsole, settled } from '../browser/open-console.js';
import { openPage, type OpenPage } from '../browser/open-page.js';
import { anOrder } from '../faults/order-life.js';
import { apiOf } from '../testing/api.js';
import type { RunningInstallation } from '../testing/installation.js';

const originOf = ({ baseUrl }: RunningInstallation): string => new URL(baseUrl).origin;

/** The address with a code in it, which npm start prints. */
export async function expectSignedIn(browser: Browser, running: RunningInstallation): Promise<void> {
  const opened = await openPage(browser, running.consoleUrl, 'desktop');
  const { page } = opened;
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(page.url()).toBe(`${originOf(running)}/console`);
  await page.reload();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toMatch(/hk_|#code/);
  expect(opened).toMatchObject({ problems: [], outsideRequests: [] });
  const otherTab = await page.context().newPage();
  await otherTab.goto(`${originOf(running)}/console`);
  await otherTab.getByRole('button', { name: 'Sign in' }).waitFor();
  await opened.close();
}

/** The same address once more. */
export async function expectSignInRefused(browser: Browser, { consoleUrl }: RunningInstallation): Promise<void> {
  const { page, close } = await openPage(browser, consoleUrl, 'desktop');
  await page.getByText('This sign-in link was used already or has expired.').waitFor();
  await page.getByLabel('API key').waitFor();
  await close();
}

/** A list of orders that follows the events. */
export async function followOrders(browser: Browser, running: RunningInstallation): Promise<OpenPage> {
  const opened = await openConsole(browser, { origin: originOf(running), path: '/orders', key: running.masterKey });
  await settled(opened);
  await opened.page.getByText('Live', { exact: true }).waitFor();
  return opened;
}

export async function expectAwayNoticed({ page }: OpenPage): Promise<void> {
  await page.getByText(/away/i).first().waitFor();
}

/** The page that was left open shows a new order without a reload. */
export async function expectFollowedAgain({ page }: OpenPage, { baseUrl, masterKey }: RunningInstallation): Promise<void> {
  await page.getByText('Live', { exact: true }).waitFor();
  const order = await anOrder(apiOf(baseUrl, masterKey));
  await page.locator(`a[href$="${order.id}"]`).first().waitFor();
}
