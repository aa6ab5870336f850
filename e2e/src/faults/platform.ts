import { readdirSync, readFileSync } from 'node:fs';
import { testDatabase, type TestDatabase } from '@holdfast/shared/testing/postgres';
import { testRabbitmqUrl } from '@holdfast/shared/testing/rabbitmq';
import { apiOf, type Api } from '../testing/api.js';
import { newDataDir, startAllInOne, startDistributed, type RunningInstallation } from '../testing/installation.js';
import { sandboxControl, type SandboxControl } from './sandbox-control.js';

/** A whole platform with its sandbox, on either driver. */
export type Platform = {
  readonly api: Api;
  readonly sandbox: SandboxControl;
  readonly database: TestDatabase;
  /** Kills the process of a part with -9; it is started again by itself. Only where every part has a process of its own. */
  readonly kill: (part: string) => void;
  readonly output: () => string;
  readonly stop: () => Promise<void>;
};

export const drivers = ['in-process', 'rabbitmq'] as const;
export type Driver = (typeof drivers)[number];

/** Calls give up early, so that a test need not wait: the operations go on. */
const settlementTimeoutMs = 4_000;

export async function startPlatform(driver: Driver): Promise<Platform> {
  const database = await testDatabase();
  const variables = {
    DATABASE_URL: database.adminUrl,
    INTERNAL_SECRET: database.internalSecret,
    SETTLEMENT_TIMEOUT_MS: settlementTimeoutMs.toString(),
    SAGA_REASK_AFTER_MS: '2000',
    LOG_LEVEL: 'warn',
  };
  const running =
    driver === 'in-process'
      ? await startAllInOne(newDataDir(), variables)
      : await startDistributed(newDataDir(), { ...variables, AMQP_URL: await testRabbitmqUrl() });
  return {
    api: apiOf(running.baseUrl, running.masterKey),
    sandbox: sandboxControl(running.sandboxUrl),
    database,
    kill: (part) => killPart(running, part),
    output: running.output,
    stop: async () => {
      running.signal('SIGTERM');
      await running.ended;
      await database.drop();
    },
  };
}

function killPart({ pid }: RunningInstallation, part: string): void {
  const child = childrenOf(pid).find((candidate) => commandOf(candidate).includes(`\0${part}\0`));
  if (child === undefined) throw new Error(`no process of ${part} is running`);
  process.kill(child, 'SIGKILL');
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((candidate) => Number.isInteger(candidate) && parentOf(candidate) === pid);
}

function parentOf(pid: number): number | undefined {
  const status = readProc(`/proc/${pid.toString()}/status`);
  return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]);
}

function commandOf(pid: number): string {
  return readProc(`/proc/${pid.toString()}/cmdline`);
}

function readProc(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // ended while we looked
  }
}
