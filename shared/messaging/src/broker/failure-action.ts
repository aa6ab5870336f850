import { isOutOfResources } from '@holdfast/postgres';
import { NonRetryableError } from './broker.js';

/** What the driver does with a message whose handler threw. */
export type FailureAction =
  | { readonly kind: 'retry'; readonly attempts: number; readonly delayMs: number }
  | { readonly kind: 'park'; readonly attempts: number; readonly reason: string };

const reasonCharactersMax = 500;

/** A database that is out of resources is tried again after the second delay: soon after it recovers, without adding load. */
const outOfResourcesDelay = 1;

/**
 * `attempts` counts the failures before this one, so it is also the index of the next retry delay. A database without disk space
 * fails every message, so such a failure does not count: it would park all of them.
 */
export function failureActionOf(error: unknown, attempts: number, retryDelaysMs: readonly number[]): FailureAction {
  const failures = attempts + 1;
  if (error instanceof NonRetryableError)
    return { kind: 'park', attempts: failures, reason: clip(`not retryable: ${error.message}`) };
  const pauseMs = isOutOfResources(error) ? retryDelaysMs[outOfResourcesDelay] : undefined;
  if (pauseMs !== undefined) return { kind: 'retry', attempts, delayMs: pauseMs };
  const delayMs = retryDelaysMs[attempts];
  if (delayMs !== undefined) return { kind: 'retry', attempts: failures, delayMs };
  return { kind: 'park', attempts: failures, reason: clip(`failed ${failures} times, at last: ${describeError(error)}`) };
}

export function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** A Postgres text column cannot hold a zero byte. */
function clip(reason: string): string {
  const text = reason.replaceAll('\0', '');
  return text.length <= reasonCharactersMax ? text : `${text.slice(0, reasonCharactersMax - 1)}…`;
}
