import { setTimeout as pause } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';

/** A message of a stream of server-sent events. */
export type StreamMessage = { readonly id: string | undefined; readonly event: string; readonly data: string };

export type FollowOptions = {
  readonly url: string;
  /** Called before each connection: a credential may be a new one by then. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Where an earlier reader stopped. */
  readonly lastEventId?: string;
  readonly onMessage: (message: StreamMessage) => void;
  readonly onOpen?: () => void;
  /** The connection is gone, and is made again after this long. */
  readonly onBreak?: (reason: string, delayMs: number) => void;
  readonly signal: AbortSignal;
  /** The delay before the next connection, unless the server sends one; doubled while it cannot be reached. */
  readonly retryMs?: number;
};

/** The server does not want this client, now or ever. */
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

/** Follows a stream until the signal is aborted. After a broken connection it resumes behind the last event it received. */
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
      onMessage: (message) => {
        if (message.id !== undefined) lastEventId = message.id;
        onMessage(message);
      },
    });
    if (isOver()) return;
    const delayMs = Math.min(retryMsMax, retryMs * 2 ** failures);
    failures += 1;
    onBreak?.(reason, delayMs);
    await pause(delayMs, undefined, { signal }).catch(() => undefined);
  }
}

type Reading = {
  readonly onOpen: () => void;
  readonly onRetry: (delayMs: number) => void;
  readonly onMessage: (message: StreamMessage) => void;
};

/** Resolves with the reason once the connection has ended; throws where the client is not wanted. */
async function readOnce(options: FollowOptions, lastEventId: string | undefined, reading: Reading): Promise<string> {
  const response = await open(options, lastEventId).catch(reasonOf);
  if (typeof response === 'string') return response;
  if (response.status !== 200 || response.body === null) return refusalOf(response);
  reading.onOpen();
  for await (const message of messagesOf(response.body, reading.onRetry)) reading.onMessage(message);
  return 'the connection has ended';
}

async function open({ url, headers, signal }: FollowOptions, lastEventId: string | undefined): Promise<Response> {
  const resumed = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  return fetch(url, { headers: { ...headers(), ...resumed, accept: 'text/event-stream' }, signal, redirect: 'manual' });
}

/** fetch says only that it failed; why is in the cause. */
function reasonOf(error: unknown): string {
  return String(typeof error === 'object' && error !== null && 'cause' in error ? error.cause : error);
}

/** A broken connection ends the messages just as a closed one does. */
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

/** Too many requests, and whatever is the server's own fault, is worth another try. */
async function refusalOf(response: Response): Promise<string> {
  const { status } = response;
  const body = await response.text().catch(reasonOf);
  if (status === 429 || status >= 500) return `${status} ${body}`;
  throw new StreamRefused(status, body);
}
