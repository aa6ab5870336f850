import type { ParkedReason } from '@holdfast/contracts/http';
import { isOutOfResources } from '@holdfast/postgres';
import { toEpochMs } from '@holdfast/kernel/context';
import { NewerVersionError, NonRetryableError } from './broker.js';

/** What the driver does with a message whose handler threw. */
export type FailureAction =
  | { readonly kind: 'retry'; readonly attempts: number; readonly delayMs: number; readonly isNewer?: true }
  | { readonly kind: 'park'; readonly attempts: number; readonly reason: string };

export type RetryPolicy = {
  readonly retryDelaysMs: readonly number[];
  /** A message of a newer version is parked when it is older than this. */
  readonly newerVersionWaitMs: number;
  readonly epochMs: () => number;
};

const reasonCharactersMax = 500;

/** How the reason of a parked message begins. Its rest is the text of an error, which may name a person. */
const reasonBeginnings = {
  NOT_RETRYABLE: 'not retryable: ',
  UNKNOWN_VERSION: 'no process knows its version: ',
} as const satisfies Partial<Record<ParkedReason, string>>;

/** The reason without the text of the error. */
export function parkedReasonOf(reason: string): ParkedReason {
  if (reason.startsWith(reasonBeginnings.NOT_RETRYABLE)) return 'NOT_RETRYABLE';
  return reason.startsWith(reasonBeginnings.UNKNOWN_VERSION) ? 'UNKNOWN_VERSION' : 'FAILED';
}

/** A database that is out of resources is tried again after the second delay: soon after it recovers, without adding load. */
const outOfResourcesDelay = 1;

/**
 * `attempts` counts the failures before this one, so it is also the index of the next retry delay. A database without disk space
 * fails every message, so such a failure does not count: it would park all of them.
 */
export function failureActionOf(error: unknown, attempts: number, policy: RetryPolicy): FailureAction {
  const { retryDelaysMs } = policy;
  const failures = attempts + 1;
  if (error instanceof NonRetryableError)
    return { kind: 'park', attempts: failures, reason: clip(`${reasonBeginnings.NOT_RETRYABLE}${error.message}`) };
  if (error instanceof NewerVersionError) return newerVersionActionOf(error, attempts, policy);
  const pauseMs = isOutOfResources(error) ? retryDelaysMs[outOfResourcesDelay] : undefined;
  if (pauseMs !== undefined) return { kind: 'retry', attempts, delayMs: pauseMs };
  const delayMs = retryDelaysMs[attempts];
  if (delayMs !== undefined) return { kind: 'retry', attempts: failures, delayMs };
  return { kind: 'park', attempts: failures, reason: clip(`failed ${failures} times, at last: ${describeError(error)}`) };
}

/** The age of the message is the time that it has waited, so that no copy of it has to carry more. */
function newerVersionActionOf(error: NewerVersionError, attempts: number, policy: RetryPolicy): FailureAction {
  const { retryDelaysMs, newerVersionWaitMs, epochMs } = policy;
  const delayMs = retryDelaysMs.at(-1);
  const isTooOld = epochMs() - toEpochMs(error.occurredAt) > newerVersionWaitMs;
  if (!isTooOld && delayMs !== undefined) return { kind: 'retry', attempts, delayMs, isNewer: true };
  return { kind: 'park', attempts: attempts + 1, reason: clip(`${reasonBeginnings.UNKNOWN_VERSION}${error.message}`) };
}

export function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** A Postgres text column cannot hold a zero byte. */
function clip(reason: string): string {
  const text = reason.replaceAll('\0', '');
  return text.length <= reasonCharactersMax ? text : `${text.slice(0, reasonCharactersMax - 1)}…`;
}
