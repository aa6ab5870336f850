import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

export type Backoff = {
  readonly firstDelayMs: number;
  /** Upper limit of a delay. Default: 30 s. */
  readonly delayMsMax?: number;
};

export type RetryOptions = Backoff & {
  /** Number of calls, including the first one. May be Infinity if `shouldRetry` or `signal` ends the retries. */
  readonly attemptsMax: number;
  /** Default: every error is retried. */
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
 * The delay after the given failed attempt. It doubles with each attempt, and half of it is jitter, so that processes that failed
 * at the same time do not retry at the same time.
 */
export function backoffMs(attempt: number, { firstDelayMs, delayMsMax = delayMsMaxDefault }: Backoff): number {
  const fullMs = Math.min(delayMsMax, firstDelayMs * 2 ** (attempt - 1));
  const halfMs = Math.ceil(fullMs / 2);
  return halfMs + randomInt(halfMs + 1);
}
