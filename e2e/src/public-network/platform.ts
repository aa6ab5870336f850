import { randomInt } from 'node:crypto';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { apiOf, type Api } from '../testing/api.js';
import { startAllInOne, startDistributed, type RunningInstallation } from '../testing/installation.js';
import { childrenOf, commandOf } from '../testing/processes.js';
import { runProgram } from '../testing/program.js';
import { openMarketplace } from '../testing/shared-platform.js';
import type { Network } from './network.js';

/** A platform on given servers and a given network. */
export type Platform = {
  /** The API with the master key. */
  readonly master: () => Api;
  /** Its own marketplace. */
  readonly openMarketplace: (name: string, nth: number) => Promise<Api>;
  /** Kills a process that runs this service, with -9. Resolves once it is started again, or will be by itself. */
  readonly kill: (service: string) => Promise<void>;
  /** Runs a command of the operator to its end. */
  readonly command: (program: 'verifyLedger' | 'sagas' | 'parked', ...args: readonly string[]) => Promise<string>;
  readonly output: () => string;
  readonly stop: () => Promise<void>;
};

export type Servers = {
  readonly database: TestDatabase;
  readonly amqpUrl: string;
  readonly network: Network;
  readonly dataDir: string;
};

type Variables = Readonly<Record<string, string>>;

const replicas = 2;

function installationOf({ database, amqpUrl, dataDir }: Servers) {
  return {
    HOLDFAST_DATA_DIR: dataDir,
    DATABASE_URL: database.adminUrl,
    AMQP_URL: amqpUrl,
    INTERNAL_SECRET: database.internalSecret,
  };
}

async function stop({ signal, ended }: RunningInstallation): Promise<void> {
  signal('SIGTERM');
  expect(await ended).toBe(0);
}

/** `npm start`: everything in one process, which dies as a whole. */
export async function startOneProcess(servers: Servers, settings: Variables): Promise<Platform> {
  const installation = installationOf(servers);
  // The address stays the same for the clients, whenever the platform is started.
  const start = (ports: Variables) =>
    startAllInOne(servers.dataDir, { ...installation, ...servers.network.variables, ...settings, ...ports });
  let running = await start({});
  const { baseUrl, masterKey } = running;
  return {
    master: () => apiOf(baseUrl, masterKey),
    openMarketplace: async (name) => (await openMarketplace(running, name)).api,
    kill: async () => {
      running.signal('SIGKILL');
      await running.ended;
      running = await start({ PORT: new URL(baseUrl).port });
    },
    command: async (program, ...args) => (await runProgram(program, installation, ...args)).output,
    output: () => running.output(),
    stop: () => stop(running),
  };
}

/** `npm run start:distributed`: two replicas of every service, each set behind its own gateway. */
export async function startReplicas(servers: Servers, settings: Variables): Promise<Platform> {
  const installation = installationOf(servers);
  const scale = { REPLICAS: replicas.toString() };
  const variables = { ...installation, ...servers.network.variables, ...settings, ...scale };
  const running = await startDistributed(servers.dataDir, variables);
  const { baseUrl, masterKey } = running;
  const [, second = ''] = /replica 2 is served at (\S+)/.exec(running.output()) ?? [];
  const baseUrls = [baseUrl, `${second}/api/v1`];
  return {
    master: () => apiOf(baseUrl, masterKey),
    openMarketplace: async (name, nth) => {
      const { key } = await openMarketplace(running, name);
      return apiOf(baseUrls[nth % baseUrls.length] ?? '', key);
    },
    kill: (service) => {
      const processes = childrenOf(running.pid).filter((pid) => commandOf(pid).includes(`\0${service}\0`));
      const chosen = processes[randomInt(processes.length)];
      if (chosen !== undefined) process.kill(chosen, 'SIGKILL');
      return Promise.resolve();
    },
    command: async (program, ...args) => (await runProgram(program, installation, ...args)).output,
    output: () => running.output(),
    stop: () => stop(running),
  };
}
