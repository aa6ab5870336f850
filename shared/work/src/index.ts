export { createJobRunner, jobMetrics, type Job, type JobRunner } from './job-runner.js';
export { createSemaphore, type Semaphore } from './semaphore.js';
