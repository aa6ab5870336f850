import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from './list-files.js';
import { repository } from './planted-tree.js';

/** The pages that name files of the code, besides the decisions that hold. Replaced decisions name the files of their time. */
const guides = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md', 'docs/withdrawals.md'];
const roots = 'shared|services|gateway|sandbox|all-in-one|dev-servers|clients|tools|e2e|bench|docs';

function read(file: string): string {
  return readFileSync(path.join(repository, file), 'utf8');
}

/** Targets of relative links, from the repository's root, without the anchor. */
function linksIn(file: string, text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => path.posix.join(path.posix.dirname(file), target));
}

/** Paths in backticks that begin with a folder of the repository, have no placeholder, and are not written by a build. */
function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(new RegExp(`\`((?:${roots})/[^\`\\s]*)\``, 'g'))]
    .map(([, found = '']) => found)
    .filter((found) => !/[<*…]|\/dist\b/.test(found));
}

function missing(files: readonly string[]): readonly string[] {
  return files.filter((file) => !existsSync(path.join(repository, file)));
}

describe('the documents', () => {
  it('link to files that exist', async () => {
    const pages = (await listFiles(repository)).filter((file) => file.endsWith('.md'));
    const dead = pages.map((page) => ({ page, links: missing(linksIn(page, read(page))) }));
    expect(dead.filter(({ links }) => links.length > 0)).toEqual([]);
  });

  it.each(guides)('%s names files that exist', (guide) => {
    expect(missing(pathsIn(read(guide)))).toEqual([]);
  });

  it('of decisions that hold name files that exist', async () => {
    const decisions = (await listFiles(repository)).filter((file) => /^docs\/adr\/\d{4}-/.test(file));
    expect(decisions.length).toBeGreaterThan(50);
    const dead = decisions.map((page) => ({ page, paths: missing(pathsIn(read(page))) }));
    expect(dead.filter(({ paths }) => paths.length > 0)).toEqual([]);
  });

  it('are searched with rules that find an offender', () => {
    expect(missing(linksIn('docs/page.md', 'see [it](adr/9999-none.md#title)'))).toEqual(['docs/adr/9999-none.md']);
    expect(missing(pathsIn('`shared/none.ts` and `shared/<name>/none.ts`'))).toEqual(['shared/none.ts']);
  });
});
