export { backoffInterval, claimDue, dueWorkEveryMs, nextDue, readNextDue } from './claim-due.js';
export { createJobRunner, jobMetrics, type Job, type JobRunner, type WakeJob } from './job-runner.js';
export { createSemaphore, type Semaphore } from './semaphore.js';
