import { uptime } from 'node:os';
import { findRunning } from '@holdfast/all-in-one';
import { eventually } from '@holdfast/testing/eventually';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { lockDefaultNamespace, startMessageLoss, type MessageLoss, type MessageToLose } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { apiOf, type Api } from '../testing/api.js';
import { newDataDir, startAllInOne, startDistributed, type RunningInstallation } from '../testing/installation.js';
import { statusOf } from '../testing/platform-process.js';
import { startReplicatedPlatform, type ProcessName } from '../testing/replicated-platform.js';
import { childrenOf, commandOf, readProc } from '../testing/processes.js';
import { killLeftPrograms } from '../testing/program.js';
import { loseInserted } from './lose-inserted.js';
import { sandboxControl, type SandboxControl } from './sandbox-control.js';

/** A whole platform with its sandbox, in one of the ways of running it. */
export type Platform = {
  readonly api: Api;
  /** Where the account API is. */
  readonly accountUrl: string;
  readonly sandbox: SandboxControl;
  readonly database: TestDatabase;
  /** The settings that lead commands to it. Undefined if no supervisor runs its processes. */
  readonly commandSettings?: Readonly<Record<string, string>>;
  /** Resolves once a process that was killed is ready again. */
  readonly whenReady: (name: ProcessName) => Promise<void>;
  /** Resolves once a process has run so long that its next death does not count as a failed start: after five failed starts it is not restarted. */
  readonly whenSteady: (name: ProcessName) => Promise<void>;
  /** Kills one of these processes with -9; it is started again by itself. Only where the services do not share one process. */
  readonly kill: (name: ProcessName) => void;
  /** Loses messages that the broker has confirmed. On RabbitMQ it begins when the messages `after` are published, if there are any. */
  readonly lose: (messages: readonly MessageToLose[], after: readonly MessageToLose[]) => Promise<MessageLoss>;
};

type Stop = { readonly stop: () => Promise<void> };

/** One process on Postgres alone; a process for each service on RabbitMQ; and two of each behind a balancer. */
export const drivers = ['in-process', 'rabbitmq', 'two replicas'] as const;
export type Driver = (typeof drivers)[number];

/** In the full matrix calls give up early, because most of its faults last; the operations continue. */
const settlementTimeoutMs = isFullMatrix ? 4_000 : 30_000;

/** The settings of every platform with injected faults. */
export const faultSettings = {
  SETTLEMENT_TIMEOUT_MS: settlementTimeoutMs.toString(),
  SAGA_STALLED_AFTER_MS: '2000',
  LOG_LEVEL: 'warn',
};

/** A little longer than the supervisor's restart delay. */
const steadyAfterMs = 11_000;
const steadyWait = { timeoutMs: 30_000 };
/** How long a killed process may take to start on a loaded machine. */
const readyWait = { timeoutMs: 60_000 };
const tickMs = 10;

/** Starts a platform before the tests of the surrounding suite, clears its faults after each of them, and stops it at the end. */
export function platformOfSuite(driver: Driver): () => Platform {
  let platform: (Platform & Stop) | undefined;
  const started = (): Platform & Stop => {
    if (platform === undefined) throw new Error('the platform was not started');
    return platform;
  };
  beforeAll(async () => {
    platform = await startPlatform(driver);
  }, serverStartTimeoutMs);
  afterEach(() => started().sandbox.clear());
  afterAll(async () => {
    try {
      await started().stop();
    } finally {
      await killLeftPrograms(); // also of a platform that never became ready
    }
  });
  return started;
}

async function startPlatform(driver: Driver): Promise<Platform & Stop> {
  const database = await testDatabase();
  const names = driver === 'in-process' ? undefined : await lockDefaultNamespace();
  const giveBack = async (): Promise<void> => {
    try {
      await names?.release();
    } finally {
      await database.drop();
    }
  };
  const start = driver === 'two replicas' ? startReplicas : startInstallation;
  const { baseUrl, masterKey, sandboxUrl, stop, ...running } = await start(database, names?.url).catch(async (error: unknown) => {
    await giveBack();
    throw error;
  });
  return {
    ...running,
    api: apiOf(baseUrl, masterKey),
    accountUrl: new URL(baseUrl).origin,
    sandbox: sandboxControl(sandboxUrl),
    database,
    lose: (messages, after) =>
      names === undefined ? loseInserted(database, messages) : startMessageLoss(names.url, messages, after),
    stop: async () => {
      await stop();
      await giveBack();
    },
  };
}

type Running = Pick<Platform, 'whenReady' | 'whenSteady' | 'kill' | 'commandSettings'> &
  Stop &
  Pick<RunningInstallation, 'baseUrl' | 'masterKey' | 'sandboxUrl'>;

async function startReplicas(database: TestDatabase, amqpUrl = ''): Promise<Running> {
  const { close, ...platform } = await startReplicatedPlatform({ database, amqpUrl, settings: faultSettings });
  const stop = async (): Promise<void> => {
    close();
    await killLeftPrograms();
  };
  return { ...platform, whenSteady: () => Promise.resolve(), stop };
}

/** `npm start` without a broker, and `npm run start:distributed` with one. */
async function startInstallation(database: TestDatabase, amqpUrl?: string): Promise<Running> {
  const dataDir = newDataDir();
  const variables = { DATABASE_URL: database.adminUrl, INTERNAL_SECRET: database.internalSecret, ...faultSettings };
  const running = await (amqpUrl === undefined
    ? startAllInOne(dataDir, variables)
    : startDistributed(dataDir, { ...variables, AMQP_URL: amqpUrl }));
  const stop = async (): Promise<void> => {
    running.signal('SIGTERM');
    await running.ended;
  };
  const commandSettings = { HOLDFAST_DATA_DIR: dataDir, INTERNAL_SECRET: database.internalSecret };
  return { ...running, ...processesOf(running, dataDir), commandSettings, stop };
}

/** The processes of an installation. Its supervisor restarts each of them. */
export function processesOf(running: RunningInstallation, dataDir: string): Pick<Platform, 'whenReady' | 'whenSteady' | 'kill'> {
  return {
    whenReady: (name) =>
      eventually(async () => expect(await statusOf(`${metricsUrlOf(dataDir, name)}/readyz`)).toBe(200), readyWait),
    whenSteady: (name) => eventually(() => expect(ageMsOf(processOf(running, name))).toBeGreaterThan(steadyAfterMs), steadyWait),
    kill: (name) => void process.kill(processOf(running, name), 'SIGKILL'),
  };
}

function metricsUrlOf(dataDir: string, name: ProcessName): string {
  const url = findRunning(dataDir)?.metricsUrls?.[name];
  if (url === undefined) throw new Error(`the installation names no metrics address of ${name}`);
  return url;
}

function processOf({ pid }: RunningInstallation, name: string): number {
  const child = childrenOf(pid).find((candidate) => commandOf(candidate).includes(`\0${name}\0`));
  if (child === undefined) throw new Error(`no process of ${name} is running`);
  return child;
}

/** The 22nd field of its statistics is the tick of the system's uptime at which a process began. */
function ageMsOf(pid: number): number {
  const afterName = readProc(`/proc/${pid.toString()}/stat`).split(') ')[1] ?? '';
  const begunAtMs = Number(afterName.split(' ')[19]) * tickMs;
  return uptime() * 1_000 - begunAtMs;
}
