import { performance } from 'node:perf_hooks';
import { withTimeout } from '@holdfast/kernel/async';
import { createBatcher } from '@holdfast/messaging/batching';
import { toEpochMs, type Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { deleteInBatches, type Database } from '@holdfast/postgres';
import type { MemoryWindows, WindowCount } from '../memory-windows.js';
import type { RateWindows } from '../rate-limit.js';
import type { RateWindowRow } from './schema.js';
import { incrementRows, incrementWindows } from './sql/increment-windows.js';

type Options = {
  readonly database: Pick<Database, 'pool'>;
  /** Knows what was counted last, and counts alone while the database is gone. */
  readonly local: MemoryWindows;
  readonly windowMs: number;
  readonly log: Log;
};

const batchLimits = {
  sizeMax: 1_000,
  batchDelayMs: 2,
  /** One at a time, so that a busy replica updates in large batches instead of often. */
  inFlightMax: 1,
  waitingMax: 10_000,
  overflow: () => new AppError('SERVICE_UNAVAILABLE'),
};
/** A request waits no longer than this to be counted exactly. Ample, for a busy machine must not make the count inexact. */
const countTimeoutMs = 2_000;
/** After a failure the database is left alone for this long. */
const databaseRetryMs = 5_000;

/** Counts exactly over all replicas: one update per batch and replica. While the database is gone each counts for itself. */
export function createSharedWindows({ database, local, windowMs, log }: Options): RateWindows {
  let retryDatabaseAt = 0;
  const batcher = createBatcher({ ...batchLimits, run: (keys: readonly string[]) => incrementMany(database, keys, windowMs) });

  const incrementShared = async (key: string): Promise<WindowCount> => {
    const taken = await withTimeout(batcher.submit(key), countTimeoutMs, () => new Error('counting took too long'));
    local.set(key, taken);
    return taken;
  };

  return {
    get: local.get,
    increment: async (key) => {
      if (performance.now() < retryDatabaseAt) return local.increment(key);
      try {
        return await incrementShared(key);
      } catch (error) {
        if (performance.now() >= retryDatabaseAt)
          log.warn({ error }, 'the database is unavailable; requests are counted by this process alone');
        retryDatabaseAt = performance.now() + databaseRetryMs;
        return local.increment(key);
      }
    },
  };
}

/** Requests of one caller in the same batch are counted together, and each gets the number it would have had alone. */
async function incrementMany(
  { pool }: Pick<Database, 'pool'>,
  keys: readonly string[],
  windowMs: number,
): Promise<readonly PromiseSettledResult<WindowCount>[]> {
  const counts = new Map<string, number>();
  const places = keys.map((key) => {
    const place = (counts.get(key) ?? 0) + 1;
    counts.set(key, place);
    return place;
  });
  const taken = incrementRows.valuesOf([...counts].map(([key, used]) => ({ key, used })));
  const { rows } = await pool.query<RateWindowRow>(incrementWindows, [...taken, windowMs / 1_000]);
  const windows = new Map(rows.map((row) => [row.key, row]));
  return keys.map((key, index) => {
    const window = windows.get(key);
    if (window === undefined) return { status: 'rejected', reason: new Error('a window was not counted') };
    const used = window.used - (counts.get(key) ?? 0) + (places[index] ?? 0);
    return { status: 'fulfilled', value: { used, endsAtMs: toEpochMs(window.endsAt) } };
  });
}

export async function pruneWindows(database: Pick<Database, 'lists'>, signal: AbortSignal): Promise<void> {
  await deleteInBatches(database, { table: 'rate_windows', where: 'ends_at < now()' }, signal);
}
