import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '@holdfast/testing/eventually';
import { openPage, type Layout, type OpenPage } from './open-page.js';

type ConsoleOptions = {
  /** Of the platform, without a path. */
  readonly origin: string;
  /** Below `/console`. */
  readonly path: string;
  readonly key: string;
  readonly layout?: Layout;
  readonly hasClock?: boolean;
};

/** Opens a page of the console in a tab that has signed in with the key already. */
export function openConsole(browser: Browser, options: ConsoleOptions): Promise<OpenPage> {
  const { origin, path, key, layout = 'desktop', hasClock = false } = options;
  const session = JSON.stringify({ credential: key });
  const script = `sessionStorage.getItem('${storageKey}') ?? sessionStorage.setItem('${storageKey}', ${JSON.stringify(session)})`;
  return openPage(browser, `${origin}/console${path}`, layout, { script, hasClock });
}

/** Where the console keeps who uses a tab. */
const storageKey = 'holdfast-console-session';

/** What axe-core calls serious or critical on the page, each with the elements. The page's policy does not apply to scripts of the devtools. */
export async function seriousViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`);
}

/** Nothing is loading any more: neither the code of the page nor its first data. */
export async function settled({ page }: Pick<OpenPage, 'page'>): Promise<void> {
  await page.locator('h1').first().waitFor();
  await eventually(async () => expect(await page.locator('[aria-label="Loading"]').count()).toBe(0));
}
