import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { plantTree, repository } from './planted-tree.js';

const store = `
  export type Store = {
    readonly find: (id: string) => string | undefined;
    readonly lock: (id: string, seconds: number) => void;
    readonly save: (id: string) => void;
    readonly close: () => void;
    readonly jobs: { readonly prune: (days: number) => number };
  };
  export type Relay = { readonly close: (force: boolean) => void };
  export const createStore = (): Store => ({
    find: () => undefined,
    lock: () => undefined,
    save: () => undefined,
    close: () => undefined,
    jobs: { prune: () => 0 },
  });`;

const service = `
  import { createStore, type Relay } from '../../../shared/stock/src/index.js';
  const { find } = createStore();
  export type Port = { readonly save: (id: string) => void };
  const use = (port: Port): void => port.save('1');
  use(createStore());
  export const stop = (relay: Relay): void => relay.close(true);
  export const found = find('1');`;

/** Without the types of Node and jest, which take seconds to load. */
const tsconfig = JSON.stringify({
  extends: path.join(repository, 'tsconfig.base.json'),
  compilerOptions: { types: [] },
  include: ['**/src/**/*.ts'],
});

/** The members that the check names. */
async function findings(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const tree = await plantTree({
    'tsconfig.json': tsconfig,
    'shared/stock/src/index.ts': store,
    'services/orders/src/main.ts': service,
    ...files,
  });
  try {
    execFileSync(process.execPath, [path.join(repository, 'tools/unused-members.mjs'), tree.folder], { stdio: 'pipe' });
    return [];
  } catch (error) {
    const [, ...lines] = String((error as { readonly stdout: Buffer }).stdout)
      .trim()
      .split('\n');
    return lines.map((line) => line.split(' ')[1] ?? '');
  } finally {
    await tree.remove();
  }
}

describe('the check of unused members', () => {
  it('names functions that nothing reads, also if a test reads them, or another type has one of the same name', async () => {
    const test = `
      import { createStore } from './index.js';
      createStore().lock('1', 1);
      createStore().close();`;
    expect(await findings({ 'shared/stock/src/store.test.ts': test })).toEqual(['Store.lock', 'Store.close', 'Store.jobs.prune']);
  });

  it('accepts those that are read, or read through another type that the object is passed on as', async () => {
    const rest = `
      import { createStore } from './index.js';
      const { close, jobs } = createStore();
      close();
      export const pruned = jobs.prune(30);
      export const locked = createStore()['lock']('1', 1);`;
    expect(await findings({ 'shared/stock/src/rest.ts': rest })).toEqual([]);
  });
});
