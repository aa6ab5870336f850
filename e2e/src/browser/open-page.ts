import { provideChromium } from '@holdfast/dev-servers/debian';
import { launch, type Browser, type Page, type Viewport } from 'puppeteer-core';

export const viewports = {
  desktop: { width: 1_280, height: 900 },
  phone: { width: 390, height: 844, isMobile: true, hasTouch: true },
} as const satisfies Record<string, Viewport>;

export type OpenPage = {
  readonly page: Page;
  readonly viewport: Viewport;
  /** Errors and warnings of the console, uncaught errors and violations of the content security policy. */
  readonly problems: readonly string[];
  /** Addresses of other origins that the page requested. */
  readonly outsideRequests: readonly string[];
};

/** For a machine that is busy. */
const timeoutMs = 120_000;

/** Chromium refuses to run as root with its sandbox. */
const launchArguments = process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : ['--disable-dev-shm-usage'];

export async function startBrowser(): Promise<Browser> {
  const { paths, environment } = await provideChromium();
  // eslint-disable-next-line holdfast/no-process-env -- the browser keeps this process's environment
  return launch({ executablePath: paths.chromium, env: { ...process.env, ...environment }, args: launchArguments });
}

/** Opens a page in a context of its own: no storage is shared with other pages. */
export async function openPage(browser: Browser, url: string, viewport: Viewport): Promise<OpenPage> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const problems: string[] = [];
  const outsideRequests: string[] = [];
  const { origin } = new URL(url);
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:')) outsideRequests.push(request.url());
  });
  page.setDefaultTimeout(timeoutMs);
  await page.setViewport(viewport);
  await page.goto(url, { waitUntil: 'load' });
  return { page, viewport, problems, outsideRequests };
}
