export { backoffInterval, claimDue, dueWorkEveryMs, nextDue, readNextDue } from './claim-due.js';
export { createJobRunner, measureEveryMs, jobMetrics, type Job, type JobRunner, type WakeJob } from './job-runner.js';
export { createWaiters, type ReadOutcomes, type Waiters } from './waiters.js';
