import type { Settings } from './call-options.js';
import { isBeforeEffect, isPassing, withRetries } from './call.js';
import { HoldfastError } from './holdfast-error.js';
import { requestOf, type Call } from './request.js';
import { bodyOf } from './response.js';
import { failureOf, type Outgoing } from './send.js';
import { silenceWatch, type SilenceWatch } from './silence-watch.js';

/** How the last line begins. A file without it is not whole. */
const lastLine = /(^|\n)closing,[^\n]*\r?\n?$/;
/** More than the last line has. */
const tailLength = 200;

/** The file of a statement as it arrives. The opening is repeated like any read; a file that breaks off ends with CONNECTION_LOST. */
export async function* statementFile(settings: Settings, made: Call): AsyncGenerator<string> {
  const outgoing = { ...requestOf(settings, made), timeoutMs: made.options.timeoutMs ?? settings.timeoutMs };
  const isWorthwhile = (error: HoldfastError): boolean => isBeforeEffect(error) || isPassing(error);
  const { body, silence } = await withRetries(settings, made, isWorthwhile, () => open(settings, outgoing));
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let tail = '';
  try {
    for (;;) {
      silence.reset();
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw failed(error, outgoing, silence);
      });
      silence.stop();
      if (done) break;
      const text = decoder.decode(value, { stream: true });
      tail = (tail + text).slice(-tailLength);
      yield text;
    }
  } finally {
    silence.stop();
    await reader.cancel().catch(() => undefined);
  }
  if (!lastLine.test(tail)) throw failed(new Error('the file has no closing line'), outgoing, silence);
}

type Opened = { readonly body: ReadableStream<Uint8Array>; readonly silence: SilenceWatch };

async function open({ fetch: fetchIt }: Settings, outgoing: Outgoing): Promise<Opened> {
  const { url, headers, requestId, timeoutMs, signal } = outgoing;
  const silence = silenceWatch(timeoutMs);
  const response = await fetchIt(url, {
    headers: { ...headers, accept: 'text/csv' },
    redirect: 'manual',
    signal: signal === undefined ? silence.signal : AbortSignal.any([silence.signal, signal]),
  }).catch((error: unknown) => {
    throw failed(error, outgoing, silence);
  });
  const { status, body } = response;
  const isFile = response.headers.get('content-type')?.startsWith('text/csv') === true;
  if (status === 200 && isFile && body !== null) return { body, silence };
  silence.stop();
  const text = await response.text().catch(() => '');
  if (status !== 200) bodyOf({ status, headers: response.headers, text }, requestId);
  throw new HoldfastError('The response is not a file.', { code: 'INVALID_RESPONSE', status, details: {}, requestId });
}

function failed(error: unknown, { requestId, timeoutMs, signal }: Outgoing, silence: SilenceWatch): Error {
  silence.stop();
  signal?.throwIfAborted();
  return failureOf(error, { isTimedOut: silence.signal.aborted, requestId, timeoutMs });
}
