import { randomBytes } from 'node:crypto';
import { Keypair } from '@stellar/stellar-sdk';
import { serviceNames } from '@holdfast/contracts/services';
import { eventually } from '@holdfast/testing/eventually';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { sandboxVariables } from '@holdfast/testing/sandbox';
import { freePort } from '@holdfast/testing/servers';
import { startBalancer, type Balancer } from './balancer.js';
import { startPart, statusOf, type RunningPart } from './parts.js';
import { runProgram, startProgram } from './program.js';

/** Every part twice, or only some of them, each behind a balancer, on RabbitMQ. */
export type ReplicatedPlatform = {
  readonly baseUrl: string;
  readonly masterKey: string;
  readonly sandboxUrl: string;
  /** Replaces one replica of a part: SIGTERM, exit, start, ready. Resolves to what the old one printed. */
  readonly roll: (part: PartName) => Promise<string>;
  /** Kills one replica of a part with -9; another one is started at once. */
  readonly kill: (part: PartName) => void;
  /** The replicas of a part that run now. */
  readonly replicas: (part: PartName) => readonly RunningPart[];
  /** Resolves once every replica of a part is ready. */
  readonly whenReady: (part: PartName) => Promise<void>;
  /** Ends the balancers. The processes end with the test. */
  readonly close: () => void;
};

export const partNames = [...serviceNames, 'gateway'] as const;
export type PartName = (typeof partNames)[number];

type Options = {
  readonly database: TestDatabase;
  readonly amqpUrl: string;
  readonly settings?: Variables;
  /** Whether payers confirm, and banks pay out, by themselves. */
  readonly isAutomatic?: boolean;
  /** The parts with two replicas; the others have one. */
  readonly replicated?: readonly PartName[];
};
type Variables = Readonly<Record<string, string>>;

const sandboxReadyTimeoutMs = 60_000;

export async function startReplicatedPlatform(options: Options): Promise<ReplicatedPlatform> {
  const { database, amqpUrl, settings = {}, isAutomatic = false, replicated = partNames } = options;
  const balancers = new Map<PartName, Balancer>();
  for (const name of partNames) balancers.set(name, await startBalancer());
  const balancerOf = (name: PartName): Balancer => present(balancers.get(name), name);
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
  const running = new Map<PartName, RunningPart[]>(partNames.map((name) => [name, []]));
  const starting = new Map<PartName, Promise<void>>();
  const runningOf = (name: PartName): RunningPart[] => present(running.get(name), name);
  const take = (name: PartName): RunningPart => present(runningOf(name).shift(), name);
  const start = async (name: PartName): Promise<void> => {
    runningOf(name).push(await startPart(name, variables));
    balancerOf(name).setReplicas([...runningOf(name)]);
  };
  const wanted = [...partNames, ...replicated];
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
