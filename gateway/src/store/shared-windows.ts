import { performance } from 'node:perf_hooks';
import { createBatcher } from '@holdfast/shared/batching';
import { toEpochMs, type Instant, type Log } from '@holdfast/shared/context';
import { AppError } from '@holdfast/shared/errors';
import { deleteInBatches, type Database } from '@holdfast/shared/postgres';
import type { MemoryWindows, Taken } from '../memory-windows.js';
import type { RateWindows } from '../rate-limit.js';
import { takeWindows, type WindowRow } from './sql/take-windows.js';

type Options = {
  readonly database: Pick<Database, 'pool'>;
  /** Knows what was counted last, and counts alone while the database is gone. */
  readonly local: MemoryWindows;
  readonly windowMs: number;
  readonly log: Log;
};

const batchLimits = {
  sizeMax: 1_000,
  waitMs: 2,
  /** One at a time, so that a busy replica updates in large batches instead of often. */
  inFlightMax: 1,
  waitingMax: 10_000,
  overflow: () => new AppError('SERVICE_UNAVAILABLE'),
};
/** A request waits no longer than this to be counted exactly. Ample, for a busy machine must not make the count inexact. */
const patienceMs = 2_000;
/** After a failure the database is left alone for this long. */
const restMs = 5_000;

/** Counts exactly over all replicas: one update per batch and replica. While the database is gone each counts for itself. */
export function createSharedWindows({ database, local, windowMs, log }: Options): RateWindows {
  let restsUntil = 0;
  const batcher = createBatcher({ ...batchLimits, run: (keys: readonly string[]) => takeMany(database, keys, windowMs) });

  const takeShared = async (key: string): Promise<Taken> => {
    const taken = await withinPatience(batcher.submit(key));
    local.note(key, taken);
    return taken;
  };

  return {
    look: local.look,
    take: async (key) => {
      if (performance.now() < restsUntil) return local.take(key);
      try {
        return await takeShared(key);
      } catch (error) {
        if (performance.now() >= restsUntil) log.warn({ error }, 'requests are counted by this process alone');
        restsUntil = performance.now() + restMs;
        return local.take(key);
      }
    },
  };
}

async function withinPatience<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('counting took too long')), patienceMs);
  });
  return Promise.race([work, timeUp]).finally(() => clearTimeout(timer));
}

/** Requests of one caller in the same batch are counted together, and each gets the number it would have had alone. */
async function takeMany(
  { pool }: Pick<Database, 'pool'>,
  keys: readonly string[],
  windowMs: number,
): Promise<readonly PromiseSettledResult<Taken>[]> {
  const counts = new Map<string, number>();
  const places = keys.map((key) => {
    const place = (counts.get(key) ?? 0) + 1;
    counts.set(key, place);
    return place;
  });
  const { rows } = await pool.query<WindowRow>({
    ...takeWindows,
    values: [[...counts.keys()], [...counts.values()], windowMs / 1_000],
  });
  const windows = new Map(rows.map((row) => [row.key, row]));
  return keys.map((key, index) => {
    const window = windows.get(key);
    if (window === undefined) return { status: 'rejected', reason: new Error('a window was not counted') };
    const used = window.used - (counts.get(key) ?? 0) + (places[index] ?? 0);
    return { status: 'fulfilled', value: { used, endsAtMs: toEpochMs(window.ends_at as Instant) } };
  });
}

export async function pruneWindows(database: Pick<Database, 'lists'>, signal: AbortSignal): Promise<void> {
  await deleteInBatches(database, { table: 'rate_windows', where: 'ends_at < now()' }, signal);
}
