import { createMetrics } from '@holdfast/observability';
import { createJobRunner, type Job, type JobRunner } from '@holdfast/work';
import { silentLog } from '../log/index.js';

/** Starts the loop of a process with these jobs. */
export function runJobs(...jobs: readonly Job[]): JobRunner {
  const runner = createJobRunner({ log: silentLog, metrics: createMetrics({ service: 'test', processMetrics: false }) });
  runner.start(jobs);
  return runner;
}
