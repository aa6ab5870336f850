import type { Log } from '@holdfast/kernel/context';
import type { Database } from '@holdfast/postgres';
import { createJobRunner } from '@holdfast/work';
import { selectFirstAvailable } from './statements.js';

export type PollOptions = {
  readonly pool: Database['pool'];
  readonly pollEveryMs: number;
  readonly queues: () => Iterable<string>;
  readonly onDue: (queues: Iterable<string>) => void;
  readonly log: Log;
};

export type Poll = {
  /** Looks for due rows in so many milliseconds, if it would not look sooner. */
  readonly wake: (inMs: number) => void;
  /** Whether the last query succeeded. */
  readonly isHealthy: () => boolean;
  readonly stop: () => Promise<void>;
};

type FirstRow = { readonly queue: string; readonly inMs: number };

const jobName = 'look-for-deliveries';
/** Due rows that wait for a free handler are looked at no more often. */
const pauseMsMin = 250;

/** Finds due rows of the consumed queues and sleeps until the next one is due. Rejects if the first query fails. */
export async function startPoll({ pool, pollEveryMs, queues, onDue, log }: PollOptions): Promise<Poll> {
  let isHealthy = true;
  const firstRows = async (): Promise<readonly FirstRow[]> => {
    try {
      const { rows } = await pool.query<FirstRow>({ ...selectFirstAvailable, values: [[...new Set(queues())]] });
      isHealthy = true;
      return rows;
    } catch (error) {
      isHealthy = false;
      throw error;
    }
  };
  const runner = createJobRunner({ log });
  const run = async (): Promise<void> => {
    const rows = await firstRows();
    onDue(rows.filter(({ inMs }) => inMs <= 0).map(({ queue }) => queue));
  };
  const nextDueInMs = async (): Promise<number | undefined> => (await firstRows())[0]?.inMs;
  await run();
  runner.start([{ name: jobName, everyMs: pollEveryMs, pauseMsMin, run, nextDueInMs }]);
  return {
    wake: (inMs) => runner.wake(jobName, inMs),
    isHealthy: () => isHealthy,
    stop: runner.stop,
  };
}
