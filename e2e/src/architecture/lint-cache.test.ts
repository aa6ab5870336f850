import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { plantTree, repository, type PlantedTree } from './planted-tree.js';

/** Stands in for eslint: writes down what it is to look at, and finds fault with files that say so. */
const eslint = `
  const { readFileSync, writeFileSync } = require('node:fs');
  writeFileSync('looked-at', process.argv.slice(2).join(' '));
  process.exit(readFileSync('orders/src/order.ts', 'utf8').includes('fault') ? 1 : 0);`;

const copied = [
  'tools/lint.mjs',
  'tools/require-node.cjs',
  'tools/workspaces.mjs',
  'tools/lint/rules.mjs',
  'tsconfig.base.json',
  'eslint.config.mjs',
];

/** Every test ends with a lint that finds no fault, so that each begins with a fresh cache. */
let tree: PlantedTree;

beforeAll(async () => {
  tree = await plantTree({
    ...Object.fromEntries(copied.map((file) => [file, readFileSync(path.join(repository, file), 'utf8')])),
    'node_modules/eslint/bin/eslint.js': eslint,
    'package.json': JSON.stringify({ engines: { node: '>=20.19' }, workspaces: ['kernel', 'orders', 'gateway'] }),
    'package-lock.json': '{}',
    'kernel/package.json': JSON.stringify({ name: '@planted/kernel' }),
    'kernel/src/money.ts': 'export const units = 7;',
    'kernel/src/money.test.ts': 'it("adds", () => undefined);',
    'orders/package.json': JSON.stringify({ name: '@planted/orders', dependencies: { '@planted/kernel': '*' } }),
    'orders/src/order.ts': 'export const order = 1;',
    'gateway/package.json': JSON.stringify({ name: '@planted/gateway' }),
    'gateway/src/main.ts': 'export const main = 1;',
  });
  lint();
});
afterAll(() => tree.remove());

const everything = 'eslint.config.mjs kernel orders gateway';

/** What was looked at. */
function lint(): string {
  const lookedAt = path.join(tree.folder, 'looked-at');
  writeFileSync(lookedAt, '');
  try {
    execFileSync(process.execPath, [path.join(tree.folder, 'tools/lint.mjs')], { stdio: 'pipe' });
  } catch {
    return `found fault: ${readFileSync(lookedAt, 'utf8')}`;
  }
  return readFileSync(lookedAt, 'utf8');
}

function change(file: string, text: string): void {
  writeFileSync(path.join(tree.folder, file), text);
}

describe('npm run lint', () => {
  it('looks at nothing when nothing has changed, nor after it has looked at a change', () => {
    expect(lint()).toBe('');
    change('kernel/src/money.ts', 'export const units = 8;');
    expect(lint()).toBe('kernel orders');
    expect(lint()).toBe('');
  });

  it.each([
    ['a source of a package', 'kernel/src/money.ts', 'export const units = 7n;', 'kernel orders'],
    ['a package without dependents', 'gateway/src/main.ts', 'export const main = 2;', 'gateway'],
    ['a test', 'kernel/src/money.test.ts', 'it("subtracts", () => undefined);', 'kernel'],
    ['what a package depends on', 'gateway/package.json', '{"name":"@planted/gateway","version":"2.0.0"}', 'gateway'],
    ['a new file', 'orders/src/dispute.ts', 'export const dispute = 1;', 'orders'],
    ['the libraries', 'package-lock.json', '{ }', everything],
    ['the rules', 'tools/lint/rules.mjs', 'export const houseRules = {};', everything],
    ['the settings of the compiler', 'tsconfig.base.json', '{}', everything],
    ['types that everybody sees', 'gateway/src/main.ts', 'declare global { const a: 1 }', everything],
  ])('looks at every package that can see %s when that has changed', (_, file, text, lookedAt) => {
    change(file, text);
    expect(lint()).toBe(lookedAt);
  });

  it('finds a fault again until it is mended', () => {
    change('orders/src/order.ts', 'fault');
    expect(lint()).toBe('found fault: orders');
    expect(lint()).toBe('found fault: orders');
    change('orders/src/order.ts', 'export const order = 2;');
    expect(lint()).toBe('orders');
  });
});
