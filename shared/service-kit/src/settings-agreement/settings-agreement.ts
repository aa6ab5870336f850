import { randomUUID, scrypt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Log } from '@holdfast/kernel/context';
import { platformVersion, type Metrics } from '@holdfast/observability';
import {
  processRegistryOn,
  withProcessRegistry,
  type Database,
  type ProcessRegistry,
  type RegistryAccess,
} from '@holdfast/postgres';
import { ConfigError } from '@holdfast/process/config';
import { settingsDiffering } from '../metrics.js';
import type { Job } from '@holdfast/work';
import { differencesBetween, type Difference } from './differences.js';
import { sharedSettingNamed, sharedValuesOf, type SharedValues } from './shared-settings.js';

export type AgreementOptions = {
  readonly database: RegistryAccess;
  /** Every setting of the process; those that others have, too, are compared. */
  readonly config: Readonly<Record<string, unknown>>;
  /** How many connections to the database the process may open. */
  readonly connections: number;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly signal: AbortSignal;
  /** How long a start waits for processes with other settings to end. */
  readonly waitMs?: number;
};

/** Compares the settings of this process with those of the other processes of the installation. */
export type SettingsAgreement = {
  /** Rejects if a running process has another value of a setting that money or sagas depend on. Call it before roles are changed. */
  readonly waitForAgreement: () => Promise<void>;
  /** Makes the process known to the others. Two that start at the same moment do not see each other before; the job reports them. */
  readonly join: (database: Pick<Database, 'lists'>) => Promise<void>;
  readonly leave: () => Promise<void>;
  /** Keeps the process known, and reports differences. */
  readonly job: Job;
};

const waitMsDefault = 60_000;
const pollMs = 1_000;
const reportEveryMs = 10_000;

export function createSettingsAgreement(options: AgreementOptions): SettingsAgreement {
  const { connections, log } = options;
  const { service } = options.database;
  const instanceId = randomUUID();
  const values = sharedValuesOf(options.config);
  const reporter = createReporter(options);
  let joined: Joined | undefined;

  const reportAndCompare = async ({ registry, settings }: Joined): Promise<void> => {
    await registry.report({ instanceId, version: platformVersion(), connections, settings });
    const running = await registry.running();
    const ownIndex = running.findIndex((one) => one.instanceId === instanceId);
    reporter.report(differencesBetween({ service, settings }, running.toSpliced(ownIndex, 1)));
  };

  return {
    waitForAgreement: () =>
      withProcessRegistry(options.database, async (registry) => {
        if (registry === undefined) return;
        const settings = await withHashes(values, await registry.salt());
        await waitUntilNoneRefuses(async () => differencesBetween({ service, settings }, await registry.running()), options);
      }),
    join: async ({ lists }) => {
      const registry = processRegistryOn(lists);
      try {
        joined = { registry, settings: await withHashes(values, await registry.salt()) };
        await reportAndCompare(joined);
        await warnOfConnections(registry, log);
      } catch (error) {
        log.warn({ error }, 'settings are not compared with those of other processes');
      }
    },
    leave: async () => {
      await joined?.registry.forget(instanceId);
    },
    job: {
      name: 'compare-settings',
      everyMs: reportEveryMs,
      run: async () => {
        if (joined !== undefined) await reportAndCompare(joined);
      },
    },
  };
}

type Joined = { readonly registry: ProcessRegistry; readonly settings: SharedValues };
type Waiting = Pick<AgreementOptions, 'log' | 'signal' | 'waitMs'>;

/** Processes that are being replaced need a moment to end, and one that was killed counts as running for half a minute. */
async function waitUntilNoneRefuses(compare: () => Promise<readonly Difference[]>, waiting: Waiting): Promise<void> {
  const { log, signal, waitMs = waitMsDefault } = waiting;
  const deadline = performance.now() + waitMs;
  for (let turn = 0; ; turn += 1) {
    const refused = (await compare()).filter(({ isRefused }) => isRefused);
    if (refused.length === 0) return;
    const texts = refused.map(({ text }) => text);
    if (performance.now() > deadline) throw new ConfigError(texts);
    if (turn === 0) log.warn({ differences: texts }, 'waiting for processes with other settings to end');
    await pause(pollMs, undefined, { signal });
  }
}

/** Logs differences when they change, not with each run. */
function createReporter({ log, metrics }: AgreementOptions): { readonly report: (differences: readonly Difference[]) => void } {
  const gauge = metrics.gauge(settingsDiffering);
  let logged = '';
  return {
    report: (differences) => {
      gauge.set(new Set(differences.map(({ setting }) => setting)).size);
      const texts = differences.map(({ text }) => text);
      const facts = texts.join('\n');
      if (facts !== logged && texts.length > 0) log.warn({ differences: texts }, 'settings differ between running processes');
      logged = facts;
    },
  };
}

/** All replicas together may need more connections than the server has, although each of them could start. */
async function warnOfConnections(registry: ProcessRegistry, log: Log): Promise<void> {
  const [running, connectionsMax] = await Promise.all([registry.running(), registry.connectionsMax()]);
  const needed = running.reduce((sum, { connections }) => sum + connections, 0);
  if (needed > connectionsMax) {
    log.warn(
      { processes: running.length, needed, connectionsMax },
      'the running processes may need more database connections than the server allows: raise max_connections or lower DATABASE_POOL_MAX',
    );
  }
}

const hash = promisify<string, string, number, Buffer>(scrypt);
const hashBytes = 32;

/** Secrets become hashes that are slow to guess, with a salt of the installation, so that the table is no help to find a secret. */
async function withHashes(values: SharedValues, salt: string): Promise<SharedValues> {
  const hashed = Object.entries(values).map(async ([name, value]) => {
    const isSecret = sharedSettingNamed(name)?.isSecret === true;
    return [name, isSecret ? (await hash(value, `${salt} ${name}`, hashBytes)).toString('hex') : value] as const;
  });
  return Object.fromEntries(await Promise.all(hashed));
}
