export { createJobRunner, jobMetrics } from './job-runner.js';
export { type Slots, createSlots } from './semaphore.js';
