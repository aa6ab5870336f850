import { randomBytes } from 'node:crypto';
import { Keypair } from '@stellar/stellar-sdk';
import { serviceNames } from '@holdfast/contracts/services';
import { eventually } from '@holdfast/testing/eventually';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { sandboxVariables } from '@holdfast/testing/sandbox';
import { freePort } from '@holdfast/testing/servers';
import { startBalancer, type Balancer } from './balancer.js';
import { startPlatformProcess, statusOf, type PlatformProcess } from './platform-process.js';
import { runProgram, startProgram } from './program.js';

/** Every service twice, or only some of them, each behind a balancer, on RabbitMQ. */
export type ReplicatedPlatform = {
  readonly baseUrl: string;
  readonly masterKey: string;
  readonly sandboxUrl: string;
  /** Replaces one replica of a service: SIGTERM, exit, start, ready. Resolves to what the old one printed. */
  readonly roll: (name: ProcessName) => Promise<string>;
  /** Kills one replica of a service with -9; another one is started at once. */
  readonly kill: (name: ProcessName) => void;
  /** The replicas of a service that run now. */
  readonly replicas: (name: ProcessName) => readonly PlatformProcess[];
  /** Resolves once every replica of a service is ready. */
  readonly whenReady: (name: ProcessName) => Promise<void>;
  /** Ends the balancers. The processes end with the test. */
  readonly close: () => void;
};

export const processNames = [...serviceNames, 'gateway'] as const;
export type ProcessName = (typeof processNames)[number];

type Options = {
  readonly database: TestDatabase;
  readonly amqpUrl: string;
  readonly settings?: Variables;
  /** Whether payers confirm, and banks pay out, by themselves. */
  readonly isAutomatic?: boolean;
  /** The services with two replicas; the others have one. */
  readonly replicated?: readonly ProcessName[];
};
type Variables = Readonly<Record<string, string>>;

const sandboxReadyTimeoutMs = 60_000;

export async function startReplicatedPlatform(options: Options): Promise<ReplicatedPlatform> {
  const { database, amqpUrl, settings = {}, isAutomatic = false, replicated = processNames } = options;
  const balancers = new Map<ProcessName, Balancer>();
  for (const name of processNames) balancers.set(name, await startBalancer());
  const balancerOf = (name: ProcessName): Balancer => present(balancers.get(name), name);
  const gatewayUrl = balancerOf('gateway').url;
  const secrets = newSecrets();
  const access = { DATABASE_URL: database.adminUrl, INTERNAL_SECRET: database.internalSecret };
  const [sandboxUrl, migrated] = await Promise.all([
    startSandbox({ gatewayUrl, isAutomatic, ...secrets }),
    runProgram('migrate', access),
  ]);
  expect(migrated).toMatchObject({ code: 0, output: expect.stringMatching(/Applied \d+ migrations|Nothing to do/) });
  const variables: Variables = {
    ...(await sandboxVariables(sandboxUrl)),
    ...secrets,
    ...access,
    ...Object.fromEntries(serviceNames.map((name) => [`${name.toUpperCase().replaceAll('-', '_')}_URL`, balancerOf(name).url])),
    AMQP_URL: amqpUrl,
    PUBLIC_URL: gatewayUrl,
    MIGRATE_AT_START: 'false',
    // Longer than a balancer needs to notice that a replica is no longer ready.
    SHUTDOWN_DELAY_MS: '1500',
    DATABASE_POOL_MAX: '3',
    LOG_LEVEL: 'warn',
    ...settings,
  };
  const running = new Map<ProcessName, PlatformProcess[]>(processNames.map((name) => [name, []]));
  const starting = new Map<ProcessName, Promise<void>>();
  const runningOf = (name: ProcessName): PlatformProcess[] => present(running.get(name), name);
  const take = (name: ProcessName): PlatformProcess => present(runningOf(name).shift(), name);
  const start = async (name: ProcessName): Promise<void> => {
    runningOf(name).push(await startPlatformProcess(name, variables));
    balancerOf(name).setReplicas([...runningOf(name)]);
  };
  const wanted = [...processNames, ...replicated];
  await Promise.all(wanted.map(start));
  return {
    baseUrl: `${gatewayUrl}/api/v1`,
    masterKey: secrets.MASTER_KEY,
    sandboxUrl,
    roll: async (name) => {
      const old = take(name);
      old.signal('SIGTERM');
      expect([name, await old.ended]).toEqual([name, 0]);
      await start(name);
      return old.output();
    },
    kill: (name) => {
      take(name).signal('SIGKILL');
      const started = start(name);
      starting.set(name, started);
      started.catch(() => undefined); // `whenReady` reports it.
    },
    replicas: (name) => [...runningOf(name)],
    whenReady: (name) => starting.get(name) ?? Promise.resolve(),
    close: () => balancers.forEach((balancer) => balancer.close()),
  };
}

function present<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`there is no ${name}`);
  return value;
}

function newSecrets() {
  const text = (): string => randomBytes(32).toString('hex');
  return {
    MASTER_KEY: text(),
    WALLET_MASTER_KEY: text(),
    TREASURY_SEED: Keypair.random().secret(),
    PLATFORM_SEED: Keypair.random().secret(),
    ESCROW_WEBHOOK_SECRET: `esc_whsec_${text()}`,
    PAYMENT_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  };
}

type SandboxOptions = ReturnType<typeof newSecrets> & { readonly gatewayUrl: string; readonly isAutomatic: boolean };

async function startSandbox(options: SandboxOptions): Promise<string> {
  const { gatewayUrl, isAutomatic, ESCROW_WEBHOOK_SECRET, PAYMENT_WEBHOOK_SECRET } = options;
  const port = (await freePort()).toString();
  const settings = { SANDBOX_PORT: port, METRICS_PORT: '0', SANDBOX_AUTO: isAutomatic.toString(), LOG_LEVEL: 'warn' };
  const webhooks = { SANDBOX_GATEWAY_URL: `${gatewayUrl}/api/v1`, ESCROW_WEBHOOK_SECRET, PAYMENT_WEBHOOK_SECRET };
  startProgram('service', { ...settings, ...webhooks }, 'sandbox');
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => expect(await statusOf(`${url}/_sandbox/state`)).toBe(200), { timeoutMs: sandboxReadyTimeoutMs });
  return url;
}
