import { retry } from '@holdfast/kernel/async';
import { OutcomeUnknown } from './outcome-unknown.js';
import { isUnavailable } from './unavailable.js';

const unknownRetries = { attemptsMax: 4, firstDelayMs: 50, delayMsMax: 1_000 } as const;

/**
 * Repeats a commit whose outcome is unknown. `again` must first look up, by a cause that was chosen before the first attempt, whether
 * that was committed.
 */
export function lookUpOrCommit<Result>(again: () => Promise<Result>): Promise<Result> {
  return retry(again, { ...unknownRetries, shouldRetry: (error) => error instanceof OutcomeUnknown || isUnavailable(error) });
}
