import { createRequire } from 'node:module';
import path from 'node:path';
import { repository, type Files } from './planted-tree.js';

const thing = 'export const thing = 1;\n';
const packages = ['zod', 'express', 'pg', 'typeorm', 'amqplib', 'fast-check'];

const rules = createRequire(path.join(repository, 'package.json'))(path.join(repository, '.dependency-cruiser.cjs')) as {
  readonly forbidden: readonly { readonly name: string }[];
};

/** The packages of `shared/` as the rules order them. */
export const packageOrder: readonly string[] = [
  ...rules.forbidden.flatMap(({ name }) => /^(.+)-imports-from-above-its-line$/.exec(name)?.[1] ?? []),
  'testing',
];

const besides: Readonly<Record<string, readonly string[]>> = {
  kernel: ['@holdfast/postgres'],
  contracts: ['@holdfast/postgres', 'zod', 'express'],
  postgres: ['pg', 'typeorm'],
  messaging: ['amqplib'],
  http: ['typeorm'],
  sagas: ['@holdfast/contracts', '@holdfast/postgres'],
  'ledger-network': ['zod'],
  'service-kit': ['@holdfast/orders', '@holdfast/dev-servers', 'amqplib'],
};

/** Each package declares the kernel and its neighbours in the order. */
const declaredBy = (name: string, line: number): readonly string[] => {
  const neighbours = [packageOrder[line - 1], packageOrder[line + 1], 'kernel'];
  return [...neighbours.flatMap((each) => (each === undefined ? [] : [`@holdfast/${each}`])), ...(besides[name] ?? [])];
};

const declares: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(packageOrder.map((name, line) => [`shared/${name}`, declaredBy(name, line)])),
  'dev-servers': ['@holdfast/kernel'],
  gateway: ['@holdfast/contracts', '@holdfast/orders', 'zod'],
  'services/orders': [
    '@holdfast/kernel',
    '@holdfast/contracts',
    '@holdfast/postgres',
    '@holdfast/ledger-network',
    '@holdfast/sagas',
    '@holdfast/dev-servers',
    '@holdfast/payments',
    '@holdfast/tools',
    'zod',
    'pg',
    'typeorm',
  ],
  'services/payments': [],
  'all-in-one': ['@holdfast/dev-servers', '@holdfast/orders', '@holdfast/testing'],
  'clients/sdk': ['@holdfast/kernel'],
  console: ['@holdfast/sdk', '@holdfast/contracts'],
  e2e: ['@holdfast/orders'],
  bench: ['@holdfast/testing', 'pg', 'amqplib'],
  tools: [],
};

const sources: Files = {
  ...Object.fromEntries(packageOrder.map((name) => [`shared/${name}/src/index.ts`, thing])),
  'shared/kernel/src/money/index.ts': `export * from './index-of-money.js';\n`,
  'shared/kernel/src/money/index-of-money.ts': thing,
  'shared/contracts/src/http/index.ts': thing,
  'shared/ledger-network/src/values/index.ts': thing,
  'shared/ledger-network/src/signing/index.ts': thing,
  'shared/ledger-network/src/signing/keys/ed25519.ts': thing,
  'shared/sagas/src/runs/index.ts': thing,
  'dev-servers/src/postgres/index.ts': thing,
  'services/orders/src/index.ts': `export * from './domain/order.js';\n`,
  'services/orders/src/domain/order.ts': thing,
  'services/orders/src/use-cases/ports.ts': thing,
  'services/orders/src/use-cases/custody/ports.ts': thing,
  // Only what imports it can be caught.
  'services/orders/src/wallets/leaf.ts': thing,
  'services/orders/src/store/order-store.ts': thing,
  'services/orders/src/testing/an-order.ts': thing,
  'services/payments/src/index.ts': thing,
  'clients/sdk/src/index.ts': thing,
  'tools/src/index.ts': thing,
};

/** A small repository in which nothing is wrong, for offenders to be planted into. */
export const soundTree: Files = {
  ...sources,
  'package.json': JSON.stringify({ private: true, type: 'module', devDependencies: { 'fast-check': '*' } }),
  ...Object.fromEntries(Object.keys(declares).map((folder) => [`${folder}/package.json`, workspaceManifest(folder)])),
  ...Object.fromEntries(
    packages.map((name) => [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0' })]),
  ),
  ...Object.fromEntries(packages.map((name) => [`node_modules/${name}/index.js`, 'export const thing = 1;\n'])),
};

/** Where npm links the workspaces, and what the links point to. */
export const soundLinks: Files = Object.fromEntries(
  Object.keys(declares).map((folder) => [`node_modules/${nameOf(folder)}`, folder]),
);

function workspaceManifest(folder: string): string {
  const exports = { '.': './src/index.ts', './*': './src/*/index.ts' };
  const dependencies = Object.fromEntries((declares[folder] ?? []).map((name) => [name, '*']));
  return JSON.stringify({ name: nameOf(folder), version: '1.0.0', type: 'module', exports, dependencies });
}

function nameOf(folder: string): string {
  return `@holdfast/${path.basename(folder)}`;
}
