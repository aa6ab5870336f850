import type { Log } from '@holdfast/kernel/context';
import type { Database } from '@holdfast/postgres';
import { selectQueuesWithDueRows } from './statements.js';

export type PollOptions = {
  readonly pool: Database['pool'];
  readonly pollEveryMs: number;
  readonly queues: () => Iterable<string>;
  readonly onDue: (queues: Iterable<string>) => void;
  readonly log: Log;
};

export type Poll = {
  /** Whether the last query succeeded. */
  readonly isHealthy: () => boolean;
  readonly stop: () => void;
};

/** Queries at once, and then at the interval, which of the consumed queues have due rows. Rejects if the first query fails. */
export async function startPoll({ pool, pollEveryMs, queues, onDue, log }: PollOptions): Promise<Poll> {
  let isHealthy = true;
  let isPolling = false;

  async function pollOnce(): Promise<void> {
    const { rows } = await pool.query<{ readonly queue: string }>({
      ...selectQueuesWithDueRows,
      values: [[...new Set(queues())]],
    });
    isHealthy = true;
    onDue(rows.map(({ queue }) => queue));
  }

  function pollAgain(): void {
    if (isPolling) return;
    isPolling = true;
    pollOnce()
      .catch((error: unknown) => {
        isHealthy = false;
        log.warn({ err: error }, 'due messages could not be polled');
      })
      .finally(() => {
        isPolling = false;
      });
  }

  await pollOnce();
  const timer = setInterval(pollAgain, pollEveryMs);
  return {
    isHealthy: () => isHealthy,
    stop: () => clearInterval(timer),
  };
}
