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

export type SendRequest = (request: Dispatcher.DispatchOptions, limits: RequestLimits) => Promise<TextResponse>;

/**
 * Sends requests on undici's `dispatch`: no stream is made of a response that is read as a whole, and no signal for each request. At the
 * time limit and when its signal is aborted a request rejects immediately, because undici rejects an aborted request only once a
 * connection is free. `openMax` requests may run or wait for a connection; further ones reject at once.
 */
export function requestSender(dispatcher: Dispatcher, openMax: number): SendRequest {
  let open = 0;
  return (request, { limitMs, signal }) => {
    if (signal?.aborted === true) return Promise.reject(abortedBy(signal));
    if (open >= openMax) return Promise.reject(new Error(`${openMax} requests are open already`));
    open += 1;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let status = 0;
      let connection: Dispatcher.DispatchController | undefined;
      let endedBy: Error | undefined;

      const clear = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const end = (error: Error): void => {
        endedBy = error;
        connection?.abort(error);
        clear();
        reject(error);
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
          open -= 1;
          clear();
          resolve({ status, text: utf8.decode(Buffer.concat(chunks)) });
        },
        onResponseError: (_, error) => {
          open -= 1;
          clear();
          reject(error);
        },
      });
    });
  };
}

function abortedBy(signal: AbortSignal | undefined): Error {
  return new Error('aborted', { cause: signal?.reason });
}
