import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { repository } from './planted-tree.js';

type Locked = { readonly resolved?: string; readonly optionalDependencies?: Readonly<Record<string, string>> };

let packages: Readonly<Record<string, Locked>>;

beforeAll(async () => {
  packages = JSON.parse(await readFile(path.join(repository, 'package-lock.json'), 'utf8')).packages;
});

describe('the lockfile', () => {
  it('names no registry', () => {
    const addresses = Object.values(packages).map(({ resolved = '' }) => resolved);
    expect(addresses.filter((address) => address.includes('://'))).toEqual([]);
  });

  // npm silently drops a platform's package that the registry lacks, and `npm ci` then refuses the whole lockfile.
  it('knows the packages of every platform', () => {
    const wanted = Object.entries(packages).flatMap(([holder, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((name) => ({ holder, name })),
    );
    expect(wanted.filter(({ holder, name }) => !isLocked(holder, name))).toEqual([]);
  });
});

/** Whether a package is found from where its user lies: inside it, or in any folder above. */
function isLocked(holder: string, name: string): boolean {
  if (`${holder}/node_modules/${name}` in packages) return true;
  const above = holder.lastIndexOf('/node_modules/');
  return above === -1 ? `node_modules/${name}` in packages : isLocked(holder.slice(0, above), name);
}
