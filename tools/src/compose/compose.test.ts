import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Ajv } from 'ajv';
import {
  parseYaml,
  readComposeFile,
  readRepositoryFile,
  repository,
  withDefaults,
  type ComposeFile,
} from './testing/compose-file.js';
import {
  addressProblems,
  hardeningProblems,
  interpolated,
  limitProblems,
  referenceProblems,
  secretProblems,
  settingProblems,
} from './testing/compose-problems.js';
import { readDockerfile } from './testing/dockerfile.js';
import { readSettingsTables } from './testing/settings-table.js';

const compose = readComposeFile();
const targets = readDockerfile();
const tables = readSettingsTables();
const processes = ['gateway', 'identity', 'ledger-balance', 'orders', 'escrow-adapter', 'payments', 'notifications', 'sandbox'];
const serverPorts = { postgres: '5432', rabbitmq: '5672', prometheus: '9090' };

function serviceOf(name: string): ComposeFile['services'][string] {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`docker-compose.yml has no ${name}`);
  return found;
}

function tableOf(name: string) {
  const found = tables.get(name);
  if (found === undefined) throw new Error(`the settings table has no ${name}`);
  return found;
}

/** The schema of the compose specification; the package is a linter that ships it. */
function schemaFaults(document: unknown): readonly unknown[] {
  const manifest = createRequire(import.meta.url).resolve('dclint/package.json');
  const schema = readFileSync(path.join(path.dirname(manifest), 'schemas', 'compose.schema.json'), 'utf8');
  const { $schema: _draft, ...rest } = JSON.parse(schema);
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(rest);
  return validate(document) ? [] : (validate.errors ?? []);
}

describe('docker-compose.yml', () => {
  it('follows the compose specification', () => {
    expect(schemaFaults(parseYaml(readRepositoryFile('docker-compose.yml')))).toEqual([]);
  });

  it('starts every service of the platform', () => {
    const servers = ['secrets', 'migrate', 'operator', 'postgres', 'rabbitmq', 'prometheus', 'alertmanager', 'grafana'];
    expect(Object.keys(compose.services).sort()).toEqual([...processes, ...servers].sort());
  });

  it.each(processes)('gives %s settings that exist, and all that it requires', (name) => {
    expect(settingProblems(name, serviceOf(name), tableOf(name))).toEqual([]);
  });

  it('refers to nothing that is missing', () => {
    expect([...referenceProblems(compose), ...secretProblems(compose)]).toEqual([]);
  });

  it('has addresses that lead to a port of a container on a common network', () => {
    expect(addressProblems(compose, targets, serverPorts)).toEqual([]);
  });

  it('gives containers no more rights than they need', () => {
    expect(hardeningProblems(compose)).toEqual([]);
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports.length > 0);
    expect(published.map(([name]) => name).sort()).toEqual(['alertmanager', 'gateway', 'grafana', 'prometheus', 'sandbox']);
  });

  it('limits the logs and the memory of every container', () => {
    expect(limitProblems(compose)).toEqual([]);
  });

  it('uses only variables that .env.example explains', () => {
    const explained = readRepositoryFile('.env.example');
    expect([...interpolated(compose)].filter((name) => !new RegExp(`^#?${name}=`, 'm').test(explained))).toEqual([]);
    const images = [...readRepositoryFile('docker-compose.yml').matchAll(/\$\{(\w+_IMAGE):-([^}]+)\}/g)];
    expect(images).toHaveLength(6);
    expect(images.filter(([, name = '', image = '']) => !explained.includes(`\n#${name}=${image}\n`))).toEqual([]);
  });

  it('has a Prometheus that reaches its Alertmanager, and everything that it scrapes', () => {
    const { networks } = serviceOf('prometheus');
    const targets = [...readRepositoryFile('deploy/prometheus/prometheus.yml').matchAll(/^ +- ([\w-]+):\d+$/gm)];
    const names = targets.map(([, name = '']) => name);
    expect(names).toContain('alertmanager');
    expect(names.filter((name) => !serviceOf(name).networks.some((network) => networks.includes(network)))).toEqual([]);
  });

  it('starts the sandbox by the profile that .env.example names, and the operator by none', () => {
    expect(serviceOf('sandbox').profiles).toEqual(['sandbox']);
    expect(serviceOf('operator').profiles).toEqual(['operator']);
    expect(readRepositoryFile('.env.example')).toMatch(/^COMPOSE_PROFILES=sandbox$/m);
  });

  it('says what to do while .env.example is not copied to .env, which git ignores', () => {
    const { labels } = serviceOf('secrets');
    expect(Object.values(labels)).toEqual(['${COMPOSE_PROFILES?There is no .env yet. Run: cp .env.example .env}']);
    expect(readRepositoryFile('.gitignore').split('\n')).toContain('/.env');
  });
});

/** The services that commands call: `onService('sagas', 'orders', …)`. */
function servicesCalledByCommands(): readonly string[] {
  const files = readdirSync(path.join(repository, 'tools/src'), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const calls = sources.flatMap((file) => [
    ...readRepositoryFile(`tools/src/${file}`).matchAll(/onService\('[\w-]+', '([\w-]+)'/g),
  ]);
  return [...new Set(calls.map(([, service = '']) => service))].sort();
}

describe('the operator', () => {
  const operator = serviceOf('operator');

  it('has the addresses of the services that its commands call, the servers, and no key of a person', () => {
    const urls = servicesCalledByCommands().map((name) => `${name.toUpperCase().replaceAll('-', '_')}_URL`);
    const servers = ['AMQP_URL_FILE', 'DATABASE_URL', 'HOLDFAST_URL', 'INTERNAL_SECRET_FILE'];
    expect(urls).toHaveLength(4);
    expect(Object.keys(operator.environment).sort()).toEqual([...urls, ...servers].sort());
  });

  it('starts nothing else, serves nothing, and ends with its command', () => {
    expect(operator).toMatchObject({ depends_on: {}, ports: [], restart: 'no', networks: ['platform', 'data'] });
    expect(targets.get('operator')).toMatchObject({ ports: [], command: 'operator' });
  });
});

describe('an offender', () => {
  it('against the specification is caught', () => {
    expect(schemaFaults({ services: { orders: { image: 'x', restrat: 'always' } } })).not.toEqual([]);
  });

  it('among the settings is caught', () => {
    const environment = { ORDERS_SPEED: '1', LOG_LEVEL_FILE: '/x', INTERNAL_SECRET: 'secret' };
    expect(settingProblems('orders', { ...serviceOf('orders'), environment }, tableOf('orders'))).toEqual(
      expect.arrayContaining([
        'orders has no setting ORDERS_SPEED',
        'orders has no setting LOG_LEVEL_FILE',
        'orders has the secret INTERNAL_SECRET in the open',
        'orders needs AMQP_URL',
      ]),
    );
  });

  it('among references, addresses and rights is caught', () => {
    const offender = {
      ...serviceOf('orders'),
      image: 'holdfast/orders:latest',
      volumes: ['./deploy/none:/x', 'none:/y'],
      networks: ['public'],
      depends_on: { migrate: { condition: 'service_healthy', required: true } },
      environment: { IDENTITY_URL: 'http://identity:1', AMQP_URL_FILE: '/run/secrets/holdfast/NONE' },
      ports: ['8083:8083'],
      read_only: false,
    };
    const file = { ...compose, services: { ...compose.services, orders: offender } };
    expect(referenceProblems(file)).toEqual([
      'orders: there is no ./deploy/none',
      'orders: there is no none',
      'orders waits for migrate, which has no check',
    ]);
    expect(addressProblems(file, targets, serverPorts)).toEqual(
      expect.arrayContaining(['orders: identity does not serve 1', 'orders shares no network with identity']),
    );
    expect(secretProblems(file)).toContain('no service writes NONE for orders');
    const { logging: _logging, mem_limit: _memory, ...unlimited } = offender;
    expect(limitProblems({ ...file, services: { orders: unlimited } })).toEqual([
      'orders has endless logs',
      'orders may take all memory',
    ]);
    expect(hardeningProblems(file)).toEqual([
      'orders has no pinned version',
      'orders can write to its image',
      'orders is open to the world at 8083:8083',
    ]);
  });
});

describe('the Dockerfile', () => {
  it('has a target for every container that is built, and no other', () => {
    const built = Object.values(compose.services).flatMap(({ build }) => build?.target ?? []);
    const finals = [...targets].filter(([, { base }]) => base === 'base').map(([name]) => name);
    expect(finals.sort()).toEqual([...new Set(built)].sort());
  });

  it.each(processes)('serves the default ports of %s', (name) => {
    const table = tableOf(name);
    const port = table.get(name === 'sandbox' ? 'SANDBOX_PORT' : 'PORT')?.defaultText;
    const metricsPort = table.get('METRICS_PORT')?.defaultText;
    expect(targets.get(name)).toMatchObject({ ports: [port, metricsPort], metricsPort });
  });

  it('pins one version of Node and runs nothing as root', () => {
    const bases = new Set([...targets.values()].map(({ base }) => base).filter((base) => !targets.has(base)));
    expect([...bases]).toEqual(['${NODE_IMAGE}']);
    const image = /^ARG NODE_IMAGE=(node:\d+\.\d+\.\d+-bookworm-slim)$/m.exec(readRepositoryFile('Dockerfile'))?.[1];
    const given = Object.values(compose.services).flatMap(({ build }) =>
      build === undefined ? [] : [build.args['NODE_IMAGE'] ?? ''],
    );
    expect([...new Set(given.map(withDefaults))]).toEqual([image]);
    const lastUsers = [...targets.values()].map(({ text }) => [...text.matchAll(/^USER (\S+)$/gm)].at(-1)?.[1]);
    expect(lastUsers.filter((user) => user !== undefined && user !== '1000:1000')).toEqual([]);
    expect(targets.get('base')?.text).toContain('USER 1000:1000');
  });
});

describe('the sandbox of the containers', () => {
  it('has the addresses that the other containers are given', async () => {
    const { startSandbox } = await import('@holdfast/sandbox');
    const { createLog } = await import('@holdfast/observability');
    const sandbox = await startSandbox({ log: createLog({ service: 'sandbox', level: 'silent', pretty: false }) });
    await sandbox.close();
    const { 'single-release': single, 'multi-release': multi } = sandbox.contracts;
    const given = Object.entries(serviceOf('escrow-adapter').environment).map(([name, value]) => [name, withDefaults(value)]);
    const base = 'http://sandbox:8090';
    expect(Object.fromEntries(given)).toMatchObject({
      ESCROW_FACTORY_SINGLE: single.factory,
      ESCROW_FACTORY_MULTI: multi.factory,
      ESCROW_WASM_HASH_SINGLE: single.wasmHash,
      ESCROW_WASM_HASH_MULTI: multi.wasmHash,
      ESCROW_FEE_ADDRESS: sandbox.providerFeesAddress,
      USDC_ISSUER: sandbox.usdcIssuer,
      LEDGER_NETWORK_PASSPHRASE: sandbox.networkPassphrase,
      LEDGER_HORIZON_URL: sandbox.horizonUrl.replace(sandbox.url, base),
      LEDGER_RPC_URL: sandbox.rpcUrl.replace(sandbox.url, base),
      LEDGER_FAUCET_URL: `${sandbox.controlUrl.replace(sandbox.url, base)}/faucet`,
      ESCROW_PROVIDER_URL: sandbox.escrowProviderUrl.replace(sandbox.url, base),
    });
    expect(withDefaults(serviceOf('payments').environment['PAYMENT_PROVIDER_URL'] ?? '')).toBe(
      sandbox.paymentProviderUrl.replace(sandbox.url, base),
    );
  });
});
