import type { Dispatcher } from 'undici';

export type RequestLimits = {
  /** From the call to the last byte of the response, including the time in the queue and for the connection. */
  readonly limitMs: number;
  readonly signal: AbortSignal | undefined;
};

export type TextResponse = { readonly status: number; readonly text: string };

const utf8 = new TextDecoder();

/** There was no whole response within the time limit. */
export class TimedOut extends Error {}

/**
 * One request on undici's `dispatch`: no stream is made of a response that is read as a whole, and no signal for each request. At the
 * time limit and when the signal is aborted it rejects immediately, because undici rejects an aborted request only once a connection
 * is free.
 */
export function sendRequest(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { limitMs, signal }: RequestLimits,
): Promise<TextResponse> {
  if (signal?.aborted === true) return Promise.reject(abortedBy(signal));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let connection: Dispatcher.DispatchController | undefined;
    let endedBy: Error | undefined;

    const clear = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const fail = (error: Error): void => {
      clear();
      reject(error);
    };
    const end = (error: Error): void => {
      endedBy = error;
      connection?.abort(error);
      fail(error);
    };
    const onAbort = (): void => end(abortedBy(signal));
    const timer = setTimeout(() => end(new TimedOut(`no response within ${limitMs} ms`)), limitMs);
    signal?.addEventListener('abort', onAbort, { once: true });

    dispatcher.dispatch(request, {
      onRequestStart: (controller) => {
        connection = controller;
        if (endedBy !== undefined) controller.abort(endedBy);
      },
      onResponseStart: (_, statusCode) => {
        status = statusCode; // The last one counts: informational responses come before the final one.
      },
      onResponseData: (_, chunk) => {
        chunks.push(chunk);
      },
      onResponseEnd: () => {
        clear();
        resolve({ status, text: utf8.decode(Buffer.concat(chunks)) });
      },
      onResponseError: (_, error) => fail(error),
    });
  });
}

function abortedBy(signal: AbortSignal | undefined): Error {
  return new Error('aborted', { cause: signal?.reason });
}
