import { randomBytes } from 'node:crypto';
import { Keypair } from '@stellar/stellar-sdk';
import { serviceNames } from '@holdfast/contracts/services';
import { eventually } from '@holdfast/testing/eventually';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { sandboxVariables } from '@holdfast/testing/sandbox';
import { freePort } from '@holdfast/testing/servers';
import { startBalancer, type Balancer } from '../testing/balancer.js';
import { startPart, statusOf, type RunningPart } from '../testing/parts.js';
import { runProgram, startProgram } from '../testing/program.js';

/** Every part twice, each pair behind a balancer, on RabbitMQ. */
export type ReplicatedPlatform = {
  readonly baseUrl: string;
  readonly masterKey: string;
  /** Replaces one replica of a part: SIGTERM, exit, start, ready. Resolves to what the old one printed. */
  readonly roll: (part: PartName) => Promise<string>;
  readonly close: () => void;
};

export const partNames = [...serviceNames, 'gateway'] as const;
export type PartName = (typeof partNames)[number];

type Servers = { readonly database: TestDatabase; readonly amqpUrl: string };
type Variables = Readonly<Record<string, string>>;

const replicas = 2;
const sandboxReadyTimeoutMs = 60_000;

export async function startReplicatedPlatform({ database, amqpUrl }: Servers): Promise<ReplicatedPlatform> {
  const balancers = new Map<PartName, Balancer>();
  for (const name of partNames) balancers.set(name, await startBalancer());
  const balancerOf = (name: PartName): Balancer => present(balancers.get(name), name);
  const gatewayUrl = balancerOf('gateway').url;
  const secrets = newSecrets();
  const access = { DATABASE_URL: database.adminUrl, INTERNAL_SECRET: database.internalSecret };
  const [network, migrated] = await Promise.all([startSandbox(gatewayUrl, secrets), runProgram('migrate', access)]);
  expect(migrated).toMatchObject({ code: 0, output: expect.stringMatching(/Applied \d+ migrations/) });
  const variables: Variables = {
    ...network,
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
  };
  const running = new Map<PartName, RunningPart[]>();
  await Promise.all(
    partNames.map(async (name) => {
      const started = await Promise.all(Array.from({ length: replicas }, () => startPart(name, variables)));
      running.set(name, started);
      balancerOf(name).setReplicas(started);
    }),
  );
  return {
    baseUrl: `${gatewayUrl}/api/v1`,
    masterKey: secrets.MASTER_KEY,
    roll: async (name) => {
      const parts = present(running.get(name), name);
      const old = present(parts.shift(), name);
      old.signal('SIGTERM');
      expect([name, await old.ended]).toEqual([name, 0]);
      parts.push(await startPart(name, variables));
      balancerOf(name).setReplicas([...parts]);
      return old.output();
    },
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

/** The settings of a platform on this sandbox, whose payers confirm by themselves. */
async function startSandbox(gatewayUrl: string, secrets: ReturnType<typeof newSecrets>): Promise<Variables> {
  const port = (await freePort()).toString();
  const { ESCROW_WEBHOOK_SECRET, PAYMENT_WEBHOOK_SECRET } = secrets;
  const settings = { SANDBOX_PORT: port, METRICS_PORT: '0', SANDBOX_AUTO: 'true', LOG_LEVEL: 'warn' };
  const webhooks = { SANDBOX_GATEWAY_URL: `${gatewayUrl}/api/v1`, ESCROW_WEBHOOK_SECRET, PAYMENT_WEBHOOK_SECRET };
  startProgram('service', { ...settings, ...webhooks }, 'sandbox');
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => expect(await statusOf(`${url}/_sandbox/state`)).toBe(200), { timeoutMs: sandboxReadyTimeoutMs });
  return sandboxVariables(url);
}
