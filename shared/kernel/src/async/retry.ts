import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

export type Backoff = {
  readonly firstDelayMs: number;
  /** No delay is longer. */
  readonly delayMsMax?: number;
};

export type RetryOptions = Backoff & {
  /** Calls altogether, the first one included. Infinity where `shouldRetry` or `signal` ends it. */
  readonly attemptsMax: number;
  /** Every error unless told otherwise. */
  readonly shouldRetry?: (error: unknown) => boolean;
  /** Called before each delay. */
  readonly onRetry?: (error: unknown, attempt: number) => void;
  /** Ends the retries: rejects with the signal's reason. */
  readonly signal?: AbortSignal;
};

const delayMsMaxDefault = 30_000;

/** Calls `work` until it succeeds, with exponential back-off and jitter. Rejects with the last error. */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { attemptsMax, shouldRetry = () => true, onRetry, signal } = options;
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (attempt >= attemptsMax || !shouldRetry(error)) throw error;
      onRetry?.(error, attempt);
    }
    await delay(backoffMs(attempt, options), undefined, { signal }).catch(() => undefined);
  }
}

/**
 * The delay after the given failed attempt: it doubles from attempt to attempt, and half of it is random, so that processes
 * that failed together do not retry together.
 */
export function backoffMs(attempt: number, { firstDelayMs, delayMsMax = delayMsMaxDefault }: Backoff): number {
  const fullMs = Math.min(delayMsMax, firstDelayMs * 2 ** (attempt - 1));
  const halfMs = Math.ceil(fullMs / 2);
  return halfMs + randomInt(halfMs + 1);
}
