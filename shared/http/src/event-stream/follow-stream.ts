import { setTimeout as pause } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { backoffMs } from '@holdfast/kernel/async';

/** A message of a stream of server-sent events. */
export type StreamMessage = { readonly id: string | undefined; readonly event: string; readonly data: string };

export type FollowOptions = {
  readonly url: string;
  /** Called before each connection, because the credential may have been renewed. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** The first connection resumes after this event. */
  readonly lastEventId?: string;
  /** The next message is read once this has ended, so that a slow listener slows the stream down. */
  readonly onMessage: (message: StreamMessage) => void | Promise<void>;
  readonly onOpen?: () => void;
  /** The connection has broken; the next one is opened after `delayMs`. */
  readonly onBreak?: (reason: string, delayMs: number) => void;
  readonly signal: AbortSignal;
  /** The delay before a reconnection, unless the server sends one. It doubles with each failure. */
  readonly retryMs?: number;
};

/** The server refused the stream, and trying again would not help. */
export class StreamRefused extends Error {
  readonly status: number;

  constructor(status: number, body: string) {
    super(`The stream was refused with ${status}: ${body}`);
    this.name = 'StreamRefused';
    this.status = status;
  }
}

const retryMsDefault = 1_000;
const retryMsMax = 10_000;

/** Reads a stream until the signal is aborted. After a broken connection it resumes after the last handled event. */
export async function followStream(options: FollowOptions): Promise<void> {
  const { onMessage, onBreak, signal } = options;
  let { lastEventId, retryMs = retryMsDefault } = options;
  let failures = 0;
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    const reason = await readOnce(options, lastEventId, {
      onOpen: () => {
        failures = 0;
        options.onOpen?.();
      },
      onRetry: (delayMs) => (retryMs = delayMs),
      onMessage: async (message) => {
        await onMessage(message);
        if (message.id !== undefined) lastEventId = message.id;
      },
    });
    if (isOver()) return;
    failures += 1;
    // The first delay is the one that the server has named, and later ones are longer.
    const delayMs =
      failures === 1 ? Math.min(retryMsMax, retryMs) : backoffMs(failures, { firstDelayMs: retryMs, delayMsMax: retryMsMax });
    onBreak?.(reason, delayMs);
    await pause(delayMs, undefined, { signal }).catch(() => undefined);
  }
}

type Reading = {
  readonly onOpen: () => void;
  readonly onRetry: (delayMs: number) => void;
  readonly onMessage: (message: StreamMessage) => Promise<void>;
};

/** Resolves with the reason once the connection has ended. StreamRefused if the server refuses the client. */
async function readOnce(options: FollowOptions, lastEventId: string | undefined, reading: Reading): Promise<string> {
  const response = await open(options, lastEventId).catch(reasonOf);
  if (typeof response === 'string') return response;
  if (response.status !== 200 || response.body === null) return refusalOf(response);
  reading.onOpen();
  for await (const message of messagesOf(response.body, reading.onRetry)) await reading.onMessage(message);
  return 'the connection has ended';
}

async function open({ url, headers, signal }: FollowOptions, lastEventId: string | undefined): Promise<Response> {
  const resumed = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  return fetch(url, { headers: { ...headers(), ...resumed, accept: 'text/event-stream' }, signal, redirect: 'manual' });
}

/** The message of a fetch error is generic; its cause has the reason. */
function reasonOf(error: unknown): string {
  return String(typeof error === 'object' && error !== null && 'cause' in error ? error.cause : error);
}

/** Ends when the connection is closed or breaks. */
async function* messagesOf(body: ReadableStream<Uint8Array>, onRetry: Reading['onRetry']): AsyncGenerator<StreamMessage> {
  const parser = new EventSourceParserStream({ onRetry });
  try {
    for await (const { id, event = 'message', data } of body.pipeThrough(new TextDecoderStream()).pipeThrough(parser)) {
      yield { id, event, data };
    }
  } catch {
    return;
  }
}

/** 429 and 5xx are retried. */
async function refusalOf(response: Response): Promise<string> {
  const { status } = response;
  const body = await response.text().catch(reasonOf);
  if (status === 429 || status >= 500) return `${status} ${body}`;
  throw new StreamRefused(status, body);
}
