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
  /** Has the last known counts, and counts alone while the database is unavailable. */
  readonly local: MemoryWindows;
  readonly windowMs: number;
  readonly log: Log;
};

const batchLimits = {
  sizeMax: 1_000,
  batchDelayMs: 2,
  /** One batch at a time, so that a busy replica sends few large updates. */
  inFlightMax: 1,
  waitingMax: 10_000,
  overflow: () => new AppError('SERVICE_UNAVAILABLE'),
};
/** Generous, because the count is inexact for requests that give up waiting for the database. */
const countTimeoutMs = 2_000;
/** Pause after a failure before the database is tried again. */
const databaseRetryMs = 5_000;

/**
 * Counts requests exactly over all replicas. One update counts all requests that arrived meanwhile; with one commit each, the requests of
 * one caller would wait for the same row. While the database is unavailable, each replica counts its own.
 */
export function createSharedWindows({ database, local, windowMs, log }: Options): RateWindows {
  let retryDatabaseAt = 0;
  const batcher = createBatcher({ ...batchLimits, run: (keys: readonly string[]) => incrementMany(database, keys, windowMs) });

  const incrementShared = async (key: string): Promise<WindowCount> => {
    const window = await withTimeout(batcher.submit(key), countTimeoutMs, () => new Error('counting a request timed out'));
    local.set(key, window);
    return window;
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

/** Adds up the requests per key, so that each row is updated once, and gives each request its own position in the count. */
async function incrementMany(
  { pool }: Pick<Database, 'pool'>,
  keys: readonly string[],
  windowMs: number,
): Promise<readonly PromiseSettledResult<WindowCount>[]> {
  const counts = new Map<string, number>();
  const positions = keys.map((key) => {
    const position = (counts.get(key) ?? 0) + 1;
    counts.set(key, position);
    return position;
  });
  const values = incrementRows.valuesOf([...counts].map(([key, used]) => ({ key, used })));
  const { rows } = await pool.query<RateWindowRow>(incrementWindows, [...values, windowMs / 1_000]);
  const windows = new Map(rows.map((row) => [row.key, row]));
  return keys.map((key, index) => {
    const window = windows.get(key);
    if (window === undefined) return { status: 'rejected', reason: new Error('the statement returned no row for a rate window') };
    const used = window.used - (counts.get(key) ?? 0) + (positions[index] ?? 0);
    return { status: 'fulfilled', value: { used, endsAtMs: toEpochMs(window.endsAt) } };
  });
}

export async function pruneWindows(database: Pick<Database, 'lists'>, signal: AbortSignal): Promise<void> {
  await deleteInBatches(database, { table: 'rate_windows', where: 'ends_at < now()' }, signal);
}
