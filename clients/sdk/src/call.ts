import type { Settings } from './call-options.js';
import { hasCode, HoldfastError, isHoldfastError } from './holdfast-error.js';
import { backoffMs, pause } from './pause.js';
import { requestOf, type Call } from './request.js';
import { bodyOf } from './response.js';
import { send, type Outgoing } from './send.js';

export type Answered = { readonly body: unknown; readonly requestId: string };

/** Besides reads and what takes an Idempotency-Key: the same request again has the same result. */
const sameResultAgain: ReadonlySet<string> = new Set(['orders.create', 'accounts.logIn', 'projects.initEscrow']);

/** The body of the response. A request that can be repeated without harm is repeated. */
export async function call(settings: Settings, made: Call): Promise<Answered> {
  const { method, isIdempotent = false } = made.operation;
  const outgoing = requestOf(settings, made);
  const isRepeatable = method === 'GET' || isIdempotent || sameResultAgain.has(made.id);
  const isWorthwhile = (error: HoldfastError): boolean => isBeforeEffect(error) || (isRepeatable && isPassing(error));
  try {
    const body = await withRetries(settings, made, isWorthwhile, () => sendOnce(settings, outgoing));
    return { body, requestId: outgoing.requestId };
  } catch (error) {
    if (!isHoldfastError(error) || isRepeatable || !isUnanswered(error)) throw error;
    throw outcomeUnknown(error, null);
  }
}

export async function sendOnce(settings: Settings, outgoing: Outgoing): Promise<unknown> {
  return bodyOf(await send(settings, outgoing), outgoing.requestId);
}

/**
 * Repeats after errors that `isWorthwhile` accepts, with growing waits, or those that the platform names. While the first request with its
 * Idempotency-Key still runs, it waits for that one, at most `timeoutMs`.
 */
export async function withRetries<T>(
  settings: Settings,
  { options }: Pick<Call, 'options'>,
  isWorthwhile: (error: HoldfastError) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  const { retriesMax = settings.retriesMax, timeoutMs = settings.timeoutMs } = options;
  const endMs = performance.now() + timeoutMs;
  let retries = 0;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isHoldfastError(error)) throw error;
      const isRunning = hasCode(error, 'IDEMPOTENCY_KEY_IN_PROGRESS') && performance.now() < endMs;
      if (!isRunning) retries += 1;
      if (retries > retriesMax || !isWorthwhile(error)) throw error;
      await pause(delayMsAfter(error, attempt), options.signal);
    }
  }
}

/** The platform has begun nothing. */
export function isBeforeEffect(error: HoldfastError): boolean {
  return hasCode(error, 'CONNECTION_FAILED', 'RATE_LIMITED', 'PLATFORM_STOPPED');
}

/** It may be over at the next attempt. The platform may have carried out this one. */
export function isPassing(error: HoldfastError): boolean {
  return isUnanswered(error) || hasCode(error, 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR', 'IDEMPOTENCY_KEY_IN_PROGRESS');
}

/** The outcome is unknown: the response is missing, or says so. */
export function isUnanswered(error: HoldfastError): boolean {
  return hasCode(error, 'CONNECTION_LOST', 'TIMEOUT', 'PROVIDER_TIMEOUT');
}

export function outcomeUnknown(cause: HoldfastError, record: unknown): HoldfastError {
  const { status, details, requestId, message } = cause;
  const text = `The request may have been carried out. ${message}`;
  return new HoldfastError(text, { code: 'OUTCOME_UNKNOWN', status, details: { ...details, record }, requestId }, { cause });
}

const delays = { firstDelayMs: 250, delayMsMax: 8_000 };
/** A platform that names a longer wait is tried again after this one. */
const retryAfterMsMax = 60_000;

export function delayMsAfter({ details: { retryAfter } }: HoldfastError, attempt: number): number {
  const namedMs = typeof retryAfter === 'number' && retryAfter > 0 ? Math.min(retryAfterMsMax, retryAfter * 1_000) : 0;
  return Math.max(namedMs, backoffMs(attempt, delays));
}
