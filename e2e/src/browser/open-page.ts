import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { provideChromium } from '@holdfast/dev-servers/debian';
import { processEnvironment } from '@holdfast/process/config';

export const layouts = {
  desktop: { viewport: { width: 1_280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const satisfies Record<string, BrowserContextOptions>;
export type Layout = keyof typeof layouts;

export type OpenPage = {
  readonly page: Page;
  readonly layout: Layout;
  /** Errors and warnings of the console, uncaught errors and violations of the content security policy. */
  readonly problems: readonly string[];
  /** Addresses of other origins that the page requested. */
  readonly outsideRequests: readonly string[];
  readonly close: () => Promise<void>;
};

/** Long enough for a busy machine. */
const timeoutMs = 120_000;

/** For the `beforeAll` that starts the browser: the first run on a machine may install Chromium. */
export const browserStartTimeoutMs = 600_000;

export async function startBrowser(): Promise<Browser> {
  const { paths, environment } = await provideChromium();
  return chromium.launch({
    executablePath: paths.chromium,
    env: { ...processEnvironment(), ...environment },
    args: ['--disable-dev-shm-usage'],
    // Chromium refuses to run as root with its sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: timeoutMs,
  });
}

export type PageOptions = {
  readonly colorScheme?: 'light' | 'dark';
  /** Runs before the scripts of each page. */
  readonly script?: string;
  /** With `page.clock`, which moves the time that the page sees. */
  readonly hasClock?: boolean;
};

/** Opens a page in its own context: no storage is shared with other pages. */
export async function openPage(
  browser: Browser,
  url: string,
  layout: Layout,
  { script = '', hasClock = false, ...options }: PageOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ ...layouts[layout], ...options });
  await context.addInitScript(script);
  context.setDefaultTimeout(timeoutMs);
  const page = await context.newPage();
  if (hasClock) await page.clock.install();
  const problems: string[] = [];
  const outsideRequests: string[] = [];
  const { origin } = new URL(url);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:')) outsideRequests.push(request.url());
  });
  await page.goto(url, { waitUntil: 'load' });
  return { page, layout, problems, outsideRequests, close: () => context.close() };
}
