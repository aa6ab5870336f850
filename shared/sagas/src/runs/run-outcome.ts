import { errorCatalogue } from '@holdfast/kernel/errors';
import type { RunDeadlines, RunOutcome } from '../saga-run.js';
import type { ClosedRun } from './saga-run-store.js';

/**
 * How an ended run is counted. Only an operator ends a run whose retries were stopped. Each request for an abort moves the
 * deadline by its whole length. A rule refuses with a status below 500; after any other failure what was done is compensated.
 */
export function runOutcomeOf(
  { outcome, isRetryStopped, secondsToDeadline }: Pick<ClosedRun, 'outcome' | 'isRetryStopped' | 'secondsToDeadline'>,
  { afterMs }: Pick<RunDeadlines, 'afterMs'>,
): RunOutcome {
  if (isRetryStopped) return 'resolved';
  if (outcome.status === 'succeeded') return 'succeeded';
  const isAbortRequested = secondsToDeadline !== null && secondsToDeadline * 1_000 > 1.5 * afterMs;
  if (isAbortRequested) return 'aborted';
  return errorCatalogue[outcome.code].status < 500 ? 'refused' : 'compensated';
}
