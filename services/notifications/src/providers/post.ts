import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import { AttemptFailed } from './attempt-failed.js';

export type PostLimits = {
  /** From the call to the last byte that is read of the response. */
  readonly limitMs: number;
  /** When there are more, the rest is not read and the connection is closed. */
  readonly bodyBytesMax: number;
  readonly stopped: AbortSignal;
};

export type PostResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The beginning of the body, as text that Postgres can store. */
  readonly body: string;
};

/**
 * One request on undici's `dispatch`: no stream is made of a response that is empty or short, and no signal for each request. The status
 * decides: once it has arrived, a body that breaks off, drips until the time limit or is too long is returned as far as it came.
 */
export function post(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { limitMs, bodyBytesMax, stopped }: PostLimits,
): Promise<PostResponse> {
  return new Promise((resolve, reject) => {
    const received: Received = { head: undefined, chunks: [], length: 0 };
    let connection: Dispatcher.DispatchController | undefined;
    let endedBy: Error | undefined;

    const settle = (error: Error | undefined): void => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', onStop);
      if (received.head !== undefined) resolve({ ...received.head, body: storableText(received, bodyBytesMax) });
      else reject(error ?? new AttemptFailed('RESPONSE'));
    };
    /** Also of a request that has no connection yet; undici has it until then. */
    const end = (error: Error): void => {
      endedBy ??= error;
      connection?.abort(error);
      settle(error);
    };
    const onStop = (): void => end(stopped.reason as Error);
    const timer = setTimeout(() => end(new AttemptFailed('TIMEOUT')), limitMs);
    setMaxListeners(0, stopped); // all requests of the process share it
    stopped.addEventListener('abort', onStop, { once: true });

    dispatcher.dispatch(request, {
      onRequestStart: (controller) => {
        connection = controller;
        if (endedBy !== undefined) controller.abort(endedBy);
      },
      onResponseStart: (_, status, headers) => {
        if (status >= 200) received.head = { status, headers }; // below it is announced, and follows
      },
      onResponseData: (_, chunk) => {
        received.chunks.push(chunk);
        received.length += chunk.length;
        if (received.length > bodyBytesMax) end(new AttemptFailed('RESPONSE'));
      },
      onResponseEnd: () => settle(undefined),
      onResponseError: (_, error) => settle(error),
    });
  });
}

type Received = {
  head: Pick<PostResponse, 'status' | 'headers'> | undefined;
  readonly chunks: Buffer[];
  length: number;
};

/** A character that the cut divides is left out. Postgres has no text with U+0000. */
function storableText({ chunks, length }: Received, bytesMax: number): string {
  if (length === 0) return '';
  const bytes = Buffer.concat(chunks).subarray(0, bytesMax);
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD');
}
