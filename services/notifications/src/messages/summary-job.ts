import type { ServiceRuntime } from '@holdfast/service-kit';
import { dueWorkEveryMs, type Job } from '@holdfast/work';
import type { Settings } from '../config.js';
import { countEvents } from '../use-cases/summary/count-events.js';
import type { SummaryLog } from '../use-cases/summary/ports.js';

const name = 'count-events';
/** What is logged within this time is counted together. The numbers are at most two seconds behind the log. */
const batchDelayMs = 1_500;

export type SummaryJob = {
  readonly job: Job;
  /** This process has appended to the log or to the audit trail, or has become the appender. */
  readonly onAppended: () => void;
};

/** Counts in the process that appends: no other process can leave anything to count, so that the job never looks for it. */
export function summaryJob({ wake }: Pick<ServiceRuntime<Settings>, 'wake'>, log: SummaryLog): SummaryJob {
  let isBehind = false;
  const run = async (signal: AbortSignal): Promise<void> => {
    isBehind = false;
    try {
      await countEvents(log, signal);
    } catch (error) {
      isBehind = true;
      throw error;
    }
  };
  const nextDueInMs = () => Promise.resolve(isBehind ? batchDelayMs : undefined);
  return {
    job: { name, everyMs: dueWorkEveryMs, nextDueInMs, run },
    onAppended: () => {
      if (isBehind) return;
      isBehind = true;
      wake(name, batchDelayMs);
    },
  };
}
