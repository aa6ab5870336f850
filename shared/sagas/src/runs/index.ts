export { abortRun, lockRuns, recordAbortedRun, type Abort, type AbortedRuns } from './aborted-runs.js';
export { createSagaRuns, type SagaRuns, type SagaRunsOptions } from './saga-runs.js';
