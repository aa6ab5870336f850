export {
  runOutcomes,
  type EndedRun,
  type OpenRuns,
  type RunDeadlines,
  type RunRetries,
  type SagaOutcome,
  type SagaRun,
} from './saga-run.js';
export { createSagaRuns, type SagaRuns, type SagaRunsOptions } from './saga-runs.js';
export { abortRun, findAbortedRuns, recordAbortedRun, type Abort, type AbortedRuns } from './aborted-runs.js';
