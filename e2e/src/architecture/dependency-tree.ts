import type { Files } from './planted-tree.js';

const thing = 'export const thing = 1;\n';
const packages = ['zod', 'express', 'pg', 'typeorm', 'amqplib', 'fast-check'];

const declares: Readonly<Record<string, readonly string[]>> = {
  shared: ['zod', 'express', 'pg', 'typeorm', 'amqplib'],
  gateway: ['@holdfast/shared', '@holdfast/orders', 'zod'],
  'services/orders': ['@holdfast/shared', '@holdfast/payments', '@holdfast/tools', 'zod', 'pg', 'typeorm'],
  'services/payments': ['@holdfast/shared'],
  'all-in-one': ['@holdfast/shared', '@holdfast/orders'],
  e2e: ['@holdfast/shared', '@holdfast/orders'],
  bench: ['@holdfast/shared', 'pg', 'amqplib'],
  tools: ['@holdfast/shared'],
};

const sources: Files = {
  'shared/src/money/index.ts': `export * from './index-of-money.js';\n`,
  'shared/src/money/index-of-money.ts': thing,
  'shared/src/contracts/http/index.ts': thing,
  'shared/src/postgres/index.ts': thing,
  'shared/src/testing/index.ts': thing,
  'services/orders/src/index.ts': `export * from './domain/order.js';\n`,
  'services/orders/src/domain/order.ts': thing,
  'services/orders/src/use-cases/ports.ts': thing,
  'services/orders/src/store/order-store.ts': thing,
  'services/orders/src/testing/an-order.ts': thing,
  'services/payments/src/index.ts': thing,
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
  const [name, file] = folder === 'shared' ? ['./*', './src/*/index.ts'] : ['.', './src/index.ts'];
  const target = { [name]: { 'holdfast-source': file } };
  const dependencies = Object.fromEntries((declares[folder] ?? []).map((name) => [name, '*']));
  return JSON.stringify({ name: nameOf(folder), version: '1.0.0', type: 'module', exports: target, dependencies });
}

function nameOf(folder: string): string {
  return `@holdfast/${folder.replace('services/', '')}`;
}
