import { performance } from 'node:perf_hooks';
import type { emergencyStopChanged, Envelope, Payload } from '@holdfast/contracts/messages';
import type { ServiceName } from '@holdfast/contracts/services';
import { shareCalls } from '@holdfast/kernel/async';
import type { Context, Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { handleOnce } from '@holdfast/messaging/inbox';
import { defineGauge, type Metrics } from '@holdfast/observability';
import type { Database, Tx } from '@holdfast/postgres';
import { dueWorkEveryMs, type Job } from '@holdfast/work';
import { IntentPaused } from '../intent.js';
import type { Handler } from '../intent-worker.js';

/**
 * The emergency stop of the platform, as this service has it. While it is on, nothing is signed and no payout is requested: the intents
 * wait. Everything that only reads continues. See ADR 0051.
 */
export type EmergencyStop = {
  readonly isStopped: () => Promise<boolean>;
  /** Throws IntentPaused while the stop is on. Called right before anything is signed or any payout is requested. */
  readonly assertNotStopped: () => Promise<void>;
  /** Throws PLATFORM_STOPPED while the stop is on. Called for a request that would sign or pay out, before it changes anything. */
  readonly requireNotStopped: () => Promise<void>;
  readonly handleChanged: StopHandler;
  /** A job, so that the gauge is current in a process that signs nothing. A change wakes it up in every replica. */
  readonly job: Job;
};

/** Handles emergency_stop.changed. */
export type StopHandler = (message: Envelope<Payload<typeof emergencyStopChanged>>, ctx: Context) => Promise<void>;

export type EmergencyStopOptions = {
  readonly service: ServiceName;
  readonly database: Pick<Database, 'pool' | 'inTransaction'>;
  readonly metrics: Metrics;
  readonly log: Log;
  /** The setting EMERGENCY_STOP: true stops this process whatever is stored. */
  readonly isStoppedBySetting: boolean;
  readonly wakeReplicas: (jobName: string) => void;
};

export const emergencyStopped = defineGauge('holdfast_emergency_stopped', 'Whether signing and payouts are stopped by a person');

/** One replica consumes the message; the others see the change in the table after this time at most. */
const ageMsMax = 500;
const jobName = 'read-emergency-stop';
const retryInMs = 2_000;

const storeChange = {
  name: 'store-emergency-stop',
  text: `
  insert into emergency_stop (is_stopped, version, changed_at)
  values ($1, $2, $3)
  on conflict (is_only_row) do update
  set is_stopped = excluded.is_stopped,
    version = excluded.version,
    changed_at = excluded.changed_at,
    restored_at = null
  where emergency_stop.version < excluded.version`,
};

const findStop = {
  name: 'find-emergency-stop',
  text: `
  select is_stopped as "isStopped"
  from emergency_stop`,
};

/** Requires the tables of this package in the schema of the service. */
export function createEmergencyStop(options: EmergencyStopOptions): EmergencyStop {
  const { service, database, metrics, log, isStoppedBySetting, wakeReplicas } = options;
  const gauge = metrics.gauge(emergencyStopped);
  let known: { readonly isStopped: boolean; readonly readAtMs: number } | undefined;
  let logged = false;
  const read = async (): Promise<boolean> => {
    const readAtMs = performance.now();
    const isStopped = isStoppedBySetting || (await isStopStored(database));
    if (isStopped !== logged) log.warn({ isStopped, isStoppedBySetting }, 'emergency stop changed');
    logged = isStopped;
    gauge.set(isStopped ? 1 : 0);
    known = { isStopped, readAtMs };
    return isStopped;
  };
  const readTogether = shareCalls(read);
  const isStopped = async (): Promise<boolean> =>
    known !== undefined && performance.now() - known.readAtMs < ageMsMax ? known.isStopped : readTogether();
  return {
    isStopped,
    assertNotStopped: async () => {
      if (await isStopped()) throw new IntentPaused('the emergency stop is on', retryInMs);
    },
    requireNotStopped: async () => {
      if (await isStopped()) throw new AppError('PLATFORM_STOPPED');
    },
    handleChanged: stopHandler({ database, service }, () => {
      known = undefined;
      wakeReplicas(jobName);
    }),
    job: {
      name: jobName,
      everyMs: dueWorkEveryMs,
      run: async () => {
        await read();
      },
    },
  };
}

/** Whether the stop is on in the table of the service, for one that locks it in its own statements. */
export async function isStopStored({ pool }: Pick<Database, 'pool'>): Promise<boolean> {
  const { rows } = await pool.query<{ readonly isStopped: boolean }>(findStop);
  return rows[0]?.isStopped ?? false;
}

type StopHandlerOptions = Pick<EmergencyStopOptions, 'database' | 'service'> & {
  /** Writes in the transaction of the change, before the change is stored. */
  readonly beforeStored?: (tx: Pick<Tx, 'defer'>, change: { readonly isStopped: boolean; readonly version: number }) => void;
};

/** Stores the newest change in the table `emergency_stop` of the service. */
export function stopHandler(
  { database, service, beforeStored }: StopHandlerOptions,
  onStored: () => void = () => undefined,
): StopHandler {
  return handleOnce({ database, consumer: service }, (tx, { aggregateVersion, payload }, ctx) => {
    beforeStored?.(tx, { isStopped: payload.isStopped, version: aggregateVersion });
    tx.defer(storeChange, [payload.isStopped, aggregateVersion, ctx.at]);
    tx.afterCommit(onStored);
    return Promise.resolve();
  });
}

/** While the stop is on, no run of the handler counts as an attempt, whatever it failed for: nothing fails because of the stop. */
export function uncountedWhileStopped<Subject>(
  { isStopped, assertNotStopped }: EmergencyStop,
  handler: Handler<Subject>,
): Handler<Subject> {
  return async (intent, signal, subject) => {
    try {
      const result = await handler(intent, signal, subject);
      return result !== 'closed' && (await isStopped()) ? { ...result, retryInMs, isUncounted: true } : result;
    } catch (error) {
      await assertNotStopped();
      throw error;
    }
  };
}
