import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { listFiles } from './list-files.js';
import { repository } from './planted-tree.js';

type Test = { readonly path: string; readonly context: object };
type Sequencer = {
  new (options: object): { readonly sort: (tests: readonly Test[]) => Promise<readonly Test[]> };
  readonly longest: readonly string[];
};

const load = createRequire(path.join(repository, 'package.json'));
const { testSequencer } = load('./jest.config.cjs') as { readonly testSequencer: string };
const OrderOfTests = load(testSequencer.replace('<rootDir>', '.')) as Sequencer;

/** The tests of the repository in the order in which Jest runs them in a clean clone in this folder. All are of one size. */
async function orderIn(rootDir: string): Promise<readonly string[]> {
  const tests = (await listFiles(repository)).filter((file) => file.endsWith('.test.ts'));
  const context = { config: { rootDir, cache: false }, hasteFS: { getSize: () => 1 } };
  const sorted = await new OrderOfTests({}).sort(tests.map((file) => ({ path: path.join(rootDir, file), context })));
  return sorted.map(({ path: file }) => path.relative(rootDir, file));
}

describe('the order of the tests', () => {
  it('begins the longest first, which exist, before the last third of those with a server', async () => {
    const order = await orderIn('/srv/holdfast');
    const withServer = order.filter((file) => file.endsWith('.int.test.ts'));
    const late = order.indexOf(withServer[Math.floor((withServer.length * 2) / 3)] ?? '');
    const places = OrderOfTests.longest.map((file) => order.indexOf(file));
    expect(OrderOfTests.longest.filter((file) => !existsSync(path.join(repository, file)))).toEqual([]);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBe(0);
    expect(places.at(-1)).toBeLessThan(late);
  });

  it('ends with what needs no server', async () => {
    const last = (await orderIn('/srv/holdfast')).slice(-100);
    expect(last.filter((file) => /\.int\.test\.ts$|^e2e\/src\/(?!architecture|faults)/.test(file))).toEqual([]);
  });

  it('is the same wherever the repository is', async () => {
    expect(await orderIn('/e2e/src/faults/kills')).toEqual(await orderIn('/srv/holdfast'));
  });
});
