import path from 'node:path';
import type { Files } from './planted-tree.js';

const thing = 'export const thing = 1;\n';
const packages = ['zod', 'express', 'pg', 'typeorm', 'amqplib', 'fast-check'];

const declares: Readonly<Record<string, readonly string[]>> = {
  'shared/kernel': ['@holdfast/postgres'],
  'shared/contracts': ['@holdfast/kernel', '@holdfast/postgres', 'zod', 'express'],
  'shared/postgres': ['@holdfast/kernel', 'pg', 'typeorm'],
  'shared/messaging': ['@holdfast/kernel', 'amqplib'],
  'shared/sagas': ['@holdfast/kernel', '@holdfast/contracts', '@holdfast/postgres'],
  'shared/http': ['@holdfast/kernel', 'typeorm'],
  'shared/service-kit': ['@holdfast/kernel', '@holdfast/orders', '@holdfast/dev-servers', 'amqplib'],
  'shared/testing': [],
  'dev-servers': ['@holdfast/kernel'],
  gateway: ['@holdfast/contracts', '@holdfast/orders', 'zod'],
  'services/orders': [
    '@holdfast/kernel',
    '@holdfast/contracts',
    '@holdfast/postgres',
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
  e2e: ['@holdfast/orders'],
  bench: ['@holdfast/testing', 'pg', 'amqplib'],
  tools: [],
};

const sources: Files = {
  'shared/kernel/src/money/index.ts': `export * from './index-of-money.js';\n`,
  'shared/kernel/src/money/index-of-money.ts': thing,
  'shared/contracts/src/http/index.ts': thing,
  'shared/postgres/src/index.ts': thing,
  'shared/sagas/src/index.ts': thing,
  'shared/sagas/src/runs/index.ts': thing,
  'shared/testing/src/index.ts': thing,
  'dev-servers/src/postgres/index.ts': thing,
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
  const exports = {
    '.': { 'holdfast-source': './src/index.ts' },
    './*': { 'holdfast-source': './src/*/index.ts' },
  };
  const dependencies = Object.fromEntries((declares[folder] ?? []).map((name) => [name, '*']));
  return JSON.stringify({ name: nameOf(folder), version: '1.0.0', type: 'module', exports, dependencies });
}

function nameOf(folder: string): string {
  return `@holdfast/${path.basename(folder)}`;
}
