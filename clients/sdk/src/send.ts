import type { Settings } from './call-options.js';
import { HoldfastError, type SdkErrorCode } from './holdfast-error.js';
import type { Reply } from './response.js';

export type Outgoing = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly requestId: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

/** Errors of a connection that was never made: nothing was sent. */
const notConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** One request. HoldfastError with a code of the SDK if there is no whole response; the reason of the signal if it is aborted. */
export async function send({ fetch: fetchIt }: Pick<Settings, 'fetch'>, outgoing: Outgoing): Promise<Reply> {
  const { method, url, headers, body, timeoutMs, signal } = outgoing;
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetchIt(url, {
      method,
      headers,
      redirect: 'manual',
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    signal?.throwIfAborted();
    throw failureOf(error, { isTimedOut: limit.aborted, requestId: outgoing.requestId, timeoutMs });
  }
}

/** Why there is no whole response. */
type Failed = { readonly isTimedOut: boolean; readonly requestId: string; readonly timeoutMs: number };

export function failureOf(cause: unknown, { isTimedOut, requestId, timeoutMs }: Failed): HoldfastError {
  const failure = (code: SdkErrorCode, message: string): HoldfastError =>
    new HoldfastError(message, { code, status: 0, details: {}, requestId }, { cause });
  if (isTimedOut) return failure('TIMEOUT', `No response within ${timeoutMs} ms.`);
  const reasons = reasonsOf(cause);
  const reason = reasons.at(-1) ?? 'unknown';
  if (reasons.some((one) => notConnected.has(one)))
    return failure('CONNECTION_FAILED', `No connection to the platform: ${reason}.`);
  return failure('CONNECTION_LOST', `The connection broke before the response was complete: ${reason}.`);
}

/** The codes and messages of an error and its causes. A name with several addresses fails with one cause for each. */
function reasonsOf(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth > 4) return [];
  const own = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  const several = error instanceof AggregateError ? error.errors : [];
  return [own, ...[error.cause, ...(several as readonly unknown[])].flatMap((cause) => reasonsOf(cause, depth + 1))];
}
