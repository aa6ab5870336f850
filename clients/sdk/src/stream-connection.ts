import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Settings } from './call-options.js';
import { HoldfastError } from './holdfast-error.js';
import { bodyOf } from './response.js';
import { failureOf } from './send.js';
import { silenceWatch, type SilenceWatch } from './silence-watch.js';

export type Opening = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly signal: AbortSignal | undefined;
};

export type Connection = {
  /** When the platform accepted the stream, by its own clock. */
  readonly openedAt: Date | undefined;
  /** Ends with a HoldfastError, also if the platform has closed the stream. */
  readonly messages: AsyncGenerator<EventSourceMessage>;
  /** The delay before the next connection, if the platform has named one. */
  readonly retryMs: () => number | undefined;
};

/** The platform sends a ping every 30 seconds. A connection that is silent for longer than three of them is dead. */
const silenceMsMax = 95_000;

export async function openConnection({ fetch: fetchIt }: Settings, opening: Opening): Promise<Connection> {
  const { url, headers, requestId, signal } = opening;
  const silence = silenceWatch(silenceMsMax);
  const failed = (error: unknown): Error => {
    silence.stop();
    signal?.throwIfAborted();
    return failureOf(error, { isTimedOut: silence.signal.aborted, requestId, timeoutMs: silenceMsMax });
  };
  const response = await fetchIt(url, {
    headers,
    redirect: 'manual',
    signal: signal === undefined ? silence.signal : AbortSignal.any([silence.signal, signal]),
  }).catch((error: unknown) => {
    throw failed(error);
  });
  if (response.status !== 200 || response.body === null) {
    silence.stop();
    throw await refusalOf(response, requestId);
  }
  let retryMs: number | undefined;
  const onRetry = (delayMs: number): void => void (retryMs = delayMs);
  const date = response.headers.get('date');
  return {
    openedAt: date === null ? undefined : new Date(date),
    messages: messagesOf(response.body, { silence, failed, onRetry }),
    retryMs: () => retryMs,
  };
}

async function refusalOf(response: Response, requestId: string): Promise<Error> {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  if (status >= 300) bodyOf({ status, headers, text }, requestId);
  return new HoldfastError('The response is not a stream of events.', {
    code: 'INVALID_RESPONSE',
    status,
    details: {},
    requestId,
  });
}

type Reading = {
  readonly silence: SilenceWatch;
  readonly failed: (error: unknown) => Error;
  readonly onRetry: (delayMs: number) => void;
};

async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  { silence, failed, onRetry }: Reading,
): AsyncGenerator<EventSourceMessage> {
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => arrived.push(message), onRetry });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      silence.reset();
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw failed(error);
      });
      if (done) throw failed(new Error('the platform closed the stream'));
      silence.stop();
      parser.feed(decoder.decode(value, { stream: true }));
      yield* arrived.splice(0);
    }
  } finally {
    silence.stop();
    await reader.cancel().catch(() => undefined);
  }
}
