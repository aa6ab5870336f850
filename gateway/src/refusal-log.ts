import type { Log } from '@holdfast/kernel/context';
import type { Job } from '@holdfast/work';

/** Samples the log lines of requests that the rate limit refuses, so that a flood of them does not fill the log. */
export type RefusalLog = {
  /** Counts a refused request. Returns whether it gets a log line of its own: the first of its client in an interval does. */
  readonly record: (client: string) => boolean;
  /** Logs the counts of the interval that ends. */
  readonly flush: () => void;
  readonly job: Job;
};

const intervalMs = 10_000;
/** Clients counted separately in an interval. Further ones share one count. */
const clientsMax = 1_000;
const otherClients = 'other clients';

export function createRefusalLog(log: Log): RefusalLog {
  const unlogged = new Map<string, number>();

  const record = (client: string): boolean => {
    const name = unlogged.has(client) || unlogged.size < clientsMax ? client : otherClients;
    const count = unlogged.get(name);
    unlogged.set(name, count === undefined ? 0 : count + 1);
    return count === undefined;
  };

  const flush = (): void => {
    for (const [client, count] of unlogged)
      if (count > 0) log.info({ client, count, intervalSeconds: intervalMs / 1_000 }, 'more requests refused by the rate limit');
    unlogged.clear();
  };

  const run = (): Promise<void> => {
    flush();
    return Promise.resolve();
  };
  const job = { name: 'log-refused-requests', everyMs: intervalMs, run };
  return { record, flush, job };
}
