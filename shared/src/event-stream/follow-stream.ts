import { request as requestPlainly, type IncomingMessage } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { createStreamParser, type StreamMessage } from './stream-parser.js';

export type FollowOptions = {
  readonly url: string;
  /** Asked for before each connection: a credential may be a new one by then. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Where an earlier reader stopped. */
  readonly lastEventId?: string;
  readonly onMessage: (message: StreamMessage) => void;
  readonly onOpen?: () => void;
  /** The connection is gone, and is made again after this long. */
  readonly onBreak?: (reason: string, delayMs: number) => void;
  readonly signal: AbortSignal;
  /** How long to wait before coming back, where the server does not say; doubled while it cannot be reached. */
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

/** Follows a stream until the signal is aborted, and goes on after the last event it got whenever the connection breaks. */
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
function readOnce({ url, headers, signal }: FollowOptions, lastEventId: string | undefined, reading: Reading): Promise<string> {
  const request = url.startsWith('https:') ? requestSecurely : requestPlainly;
  const resumed = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { accept: 'text/event-stream', ...headers(), ...resumed }, agent: false, signal });
    asked.on('error', (error) => resolve(error.message));
    asked.on('response', (response) => {
      response.setEncoding('utf8');
      if (response.statusCode === 200) {
        reading.onOpen();
        response.on('data', createStreamParser(reading));
        response.on('close', () => resolve('the connection has ended'));
        response.on('error', () => undefined); // the close that follows says enough
        return;
      }
      refusalOf(response).then(({ status, body }) => {
        if (isPassing(status)) resolve(`${status} ${body}`);
        else reject(new StreamRefused(status, body));
      }, reject);
    });
    asked.end();
  });
}

/** Too many requests, and whatever is the server's own fault, is worth another try. */
function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}

async function refusalOf(response: IncomingMessage): Promise<{ readonly status: number; readonly body: string }> {
  const pieces: string[] = [];
  for await (const piece of response) pieces.push(String(piece));
  return { status: response.statusCode ?? 0, body: pieces.join('') };
}
