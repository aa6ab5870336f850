import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as http from '@holdfast/contracts/http';
import type * as messages from '@holdfast/contracts/messages';
import type * as openapi from '@holdfast/contracts/openapi';
import type * as sagas from '@holdfast/contracts/sagas';
import { listFiles } from './list-files.js';
import { plantTree, repository, runTool, type Files, type PlantedTree } from './planted-tree.js';
import { applyChange, filesOf, type SampleChange } from './sample-change.js';
import { aColumn, anEvent, aRoute } from './sample-changes.js';

const changes = [aRoute, anEvent, aColumn];
const workspace = /^(shared|services|gateway|sandbox|dev-servers|all-in-one|tools|e2e)\/.*\.(ts|json|sql)$/;

/** What depends on the contracts of orders: the service, the consumer of all public events, the gateway and the tests of events. */
const checked = ['shared/contracts/src', 'services/orders/src', 'services/notifications/src', 'gateway/src', 'e2e/src/events'];

/** A copy of orders in which each change lacks one file. */
const incomplete = 'services/incomplete/';
const forgotten = ['services/orders/src/http/routes.ts', 'services/orders/src/store/schema.ts'];

let tree: PlantedTree;
let errors: readonly string[];

beforeAll(async () => {
  const names = (await listFiles(repository)).filter((file) => workspace.test(file));
  const files = Object.fromEntries(names.map((file) => [file, textOf(file) ?? '']));
  const changed = allApplied(changes);
  const lacking = allApplied(
    changes.map((change) => ({ ...change, edits: change.edits.filter(({ file }) => !forgotten.includes(file)) })),
  );
  tree = await plantTree(
    {
      ...files,
      ...changed,
      ...moved({ ...files, ...lacking }),
      'tsconfig.base.json': textOf('tsconfig.base.json') ?? '',
      'tsconfig.json': compilerSettings(),
    },
    linksOfWorkspaces(),
  );
  await linkPackages(tree);
  errors = await typeErrors();
});

afterAll(() => tree.remove());

describe.each(changes)('$name', (change) => {
  it('needs no more files than its recipe', () => {
    expect(filesOf(change).length).toBeLessThanOrEqual(change.filesMax);
  });
});

it('the three compile, with everything that depends on them', () => {
  expect(errors.filter((line) => !line.startsWith(incomplete))).toEqual([]);
});

it('the compiler names a forgotten handler and a forgotten column', () => {
  const found = new Set(errors.filter((line) => line.startsWith(incomplete)).map((line) => line.split('(')[0]));
  expect([...found]).toEqual(
    expect.arrayContaining(['src/http/routes.ts', 'src/store/schema.ts'].map((file) => incomplete + file)),
  );
});

it('the reference has the route and the event, and notifications consumes the event', async () => {
  const { openApiDocument } = await fromTree<typeof openapi>('openapi');
  const { allRoutes } = await fromTree<typeof http>('http');
  const { allMessages } = await fromTree<typeof messages>('messages');
  const { consumersOf } = await fromTree<typeof sagas>('sagas');
  const text = JSON.stringify(openApiDocument(allRoutes, allMessages, '1.0.0'));
  expect(['/orders/{id}/payout', 'order.milestones_completed'].filter((wanted) => !text.includes(wanted))).toEqual([]);
  const event = allMessages.filter(({ type }) => type === 'order.milestones_completed');
  expect(event.flatMap(consumersOf)).toEqual(['notifications']);
});

it('an anchor that is missing or not unique is named', () => {
  const edits = [{ file: 'a.ts', before: 'x', add: 'y' }];
  const apply = (text: string) => () => applyChange({ name: 'a thing', filesMax: 1, edits }, () => text);
  expect(apply('a')).toThrow('the sample of a thing needs one place with "x" in a.ts');
  expect(apply('x x')).toThrow('needs one place with "x"');
  expect([...apply('ax')().values()]).toEqual(['ayx']);
});

function textOf(file: string): string | undefined {
  const place = path.join(repository, file);
  return existsSync(place) ? readFileSync(place, 'utf8') : undefined;
}

/** One change after the other, in the same files. */
function allApplied(applied: readonly SampleChange[]): Files {
  const texts = new Map<string, string>();
  for (const change of applied)
    for (const [file, text] of applyChange(change, (name) => texts.get(name) ?? textOf(name))) texts.set(file, text);
  return Object.fromEntries(texts);
}

/** The files of orders under another name. */
function moved(files: Files): Files {
  const own = Object.entries(files).filter(([file]) => file.startsWith('services/orders/'));
  return Object.fromEntries(own.map(([file, text]) => [file.replace('services/orders/', incomplete), text]));
}

function compilerSettings(): string {
  const settings = JSON.parse(textOf('tsconfig.json') ?? '') as { readonly compilerOptions: object };
  const compilerOptions = { ...settings.compilerOptions, incremental: false, tsBuildInfoFile: undefined };
  return JSON.stringify({ ...settings, compilerOptions, include: [...checked, `${incomplete}src`] });
}

function linksOfWorkspaces(): Files {
  const folder = path.join(repository, 'node_modules/@holdfast');
  const target = (name: string) => path.relative(repository, path.resolve(folder, readlinkSync(path.join(folder, name))));
  return Object.fromEntries(readdirSync(folder).map((name) => [`node_modules/@holdfast/${name}`, target(name)]));
}

/** The installed packages of the repository, at its root and where a workspace has versions of its own. */
async function linkPackages({ folder }: PlantedTree): Promise<void> {
  const installed = readdirSync(path.join(repository, 'node_modules')).filter(
    (name) => name !== '@holdfast' && !name.startsWith('.'),
  );
  const nested = ['gateway', 'services/orders', 'services/notifications', 'e2e'].filter((name) =>
    existsSync(path.join(repository, name, 'node_modules')),
  );
  const links = [...installed.map((name) => `node_modules/${name}`), ...nested.map((name) => `${name}/node_modules`)];
  await Promise.all(links.map((link) => symlink(path.join(repository, link), path.join(folder, link))));
}

async function typeErrors(): Promise<readonly string[]> {
  const options = ['--noEmit', '--checkers', '1', '--diagnostics', '--pretty', 'false', '-p', '.'];
  const lines = (await runTool(tree, '@typescript/native/bin/tsc', options)).split('\n');
  expect(lines.some((line) => line.startsWith('Files:'))).toBe(true);
  return lines.filter((line) => /\berror TS\d+/.test(line));
}

async function fromTree<Module>(part: string): Promise<Module> {
  return (await import(pathToFileURL(path.join(tree.folder, `shared/contracts/src/${part}/index.ts`)).href)) as Module;
}
