export { backoffInterval, claimDue } from './claim-due.js';
export { createJobRunner, jobMetrics, type Job, type JobRunner } from './job-runner.js';
export { createSemaphore, type Semaphore } from './semaphore.js';
export { createWaiters, type ReadOutcomes, type Waiters } from './waiters.js';
