import { fork } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processEnvironment } from '@holdfast/process/config';
import { freePort } from '@holdfast/testing/servers';
import { stopChild } from '../servers/platform-process.js';

/** Every service, the gateway and the sandbox, each in its own process, as `npm run start:distributed` runs them. */
export type OrdersPlatform = {
  /** One for each replica. */
  readonly baseUrls: readonly string[];
  readonly key: string;
  readonly stop: () => Promise<void>;
};

export type PlatformServers = {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly amqpUrl: string;
  readonly replicas: number;
  /** The sandbox confirms pay-ins and completes payouts by itself. */
  readonly isSandboxAutomatic?: boolean;
  /** Further settings; with the addresses of outside systems no sandbox is started. */
  readonly environment?: Readonly<Record<string, string>>;
};

const program = fileURLToPath(new URL('../../../dist/distributed.js', import.meta.url));
const key = 'bench-only-master-key-0123456789abcdef';
const readyTimeoutMs = 120_000;
const replicaPattern = /is served at (http\S+)/g;
const pollMs = 100;

export async function startOrdersPlatform({
  folder,
  databaseUrl,
  amqpUrl,
  replicas,
  isSandboxAutomatic = false,
  environment = {},
}: PlatformServers): Promise<OrdersPlatform> {
  const port = (await freePort()).toString();
  const logFile = path.join(folder, 'platform.log');
  const log = openSync(logFile, 'w');
  const child = fork(program, {
    env: {
      ...processEnvironment(),
      HOLDFAST_DATA_DIR: path.join(folder, 'data'),
      DATABASE_URL: databaseUrl,
      AMQP_URL: amqpUrl,
      MASTER_KEY: key,
      PORT: port,
      SANDBOX_PORT: (await freePort()).toString(),
      RATE_LIMIT_MAX: '0',
      REPLICAS: replicas.toString(),
      SANDBOX_AUTO: isSandboxAutomatic.toString(),
      ...environment,
    },
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await stopChild(child);
  };
  const deadline = performance.now() + readyTimeoutMs;
  const printed = (): string => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '');
  while (!printed().includes('is ready after')) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`the platform did not become ready:\n${printed().slice(-2_000)}`);
    }
    await pause(pollMs);
  }
  const urls = [`http://127.0.0.1:${port}`, ...[...printed().matchAll(replicaPattern)].map(([, url = '']) => url)];
  return { baseUrls: urls.map((url) => `${url}/api/v1`), key, stop };
}
