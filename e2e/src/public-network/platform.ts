import { randomInt } from 'node:crypto';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { apiOf, type Api } from '../testing/api.js';
import { startDistributed } from '../testing/installation.js';
import { childrenOf, commandOf } from '../testing/processes.js';
import { runProgram } from '../testing/program.js';
import { textOf } from '../faults/order-life.js';
import type { Network } from './network.js';

/** Two replicas of every service, each set behind a gateway of its own. */
export type Platform = {
  /** One for each gateway, with the master key. */
  readonly apis: readonly Api[];
  /** A marketplace of its own, called through one of the gateways. */
  readonly openMarketplace: (name: string, gateway: number) => Promise<Api>;
  /** Kills one replica of the part with -9; it is started again by itself. */
  readonly killReplica: (part: string) => void;
  /** Runs a command of the operator to its end. */
  readonly command: (program: 'verifyLedger' | 'sagas', ...args: readonly string[]) => Promise<string>;
  readonly stop: () => Promise<void>;
};

type Servers = { readonly database: TestDatabase; readonly amqpUrl: string; readonly network: Network; readonly dataDir: string };

const replicas = 2;

export async function startPlatform(servers: Servers, settings: Readonly<Record<string, string>>): Promise<Platform> {
  const { database, amqpUrl, network, dataDir } = servers;
  const installation = {
    HOLDFAST_DATA_DIR: `${dataDir}/platform`,
    DATABASE_URL: database.adminUrl,
    AMQP_URL: amqpUrl,
    INTERNAL_SECRET: database.internalSecret,
  };
  const { HOLDFAST_DATA_DIR: folder, ...given } = installation;
  const running = await startDistributed(folder, {
    ...given,
    ...network.variables,
    ...settings,
    REPLICAS: replicas.toString(),
    LOG_LEVEL: 'warn',
  });
  const [, second = ''] = /replica 2 is served at (\S+)/.exec(running.output()) ?? [];
  const baseUrls = [running.baseUrl, `${second}/api/v1`];
  const apis = baseUrls.map((url) => apiOf(url, running.masterKey));
  return {
    apis,
    openMarketplace: async (name, gateway) => {
      const [master] = apis;
      if (master === undefined) throw new Error('there is no gateway');
      const marketplaceId = textOf((await master.post('/marketplaces', { name })).data, 'id');
      const created = await master.post('/auth/api-keys', { name, scopes: ['*'], marketplaceId });
      return apiOf(baseUrls[gateway % baseUrls.length] ?? '', textOf(created.data, 'key'));
    },
    killReplica: (part) => {
      const processes = childrenOf(running.pid).filter((pid) => commandOf(pid).includes(`\0${part}\0`));
      const chosen = processes[randomInt(processes.length)];
      if (chosen !== undefined) process.kill(chosen, 'SIGKILL');
    },
    command: async (program, ...args) => (await runProgram(program, installation, ...args)).output,
    stop: async () => {
      running.signal('SIGTERM');
      await running.ended;
    },
  };
}
