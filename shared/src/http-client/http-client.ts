import { Pool, type Dispatcher } from 'undici';
import type { z } from 'zod';
import { AppError, type ErrorCode } from '../errors/index.js';
import { HttpStatusError } from './http-status-error.js';

export type HttpClientOptions = {
  /** With or without a path that all requests begin with. */
  readonly baseUrl: string;
  /** From the first attempt to connect to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly responseBytesMax?: number;
  readonly connectionsMax?: number;
  /** What the caller of this client gets to see when nobody answers, or not in time. */
  readonly errors: { readonly unavailable: ErrorCode; readonly timedOut: ErrorCode };
};

export type HttpRequest<Schema extends z.ZodType> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** What a 2xx answer must look like. */
  readonly answer: Schema;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

export type HttpClient = {
  /** The parsed answer; HttpStatusError for any status beyond 2xx; else one of the client's own errors. Nothing is repeated. */
  readonly request: <Schema extends z.ZodType>(request: HttpRequest<Schema>) => Promise<z.output<Schema>>;
  readonly close: () => Promise<void>;
};

const responseBytesMaxDefault = 1024 * 1024;
const connectionsMaxDefault = 64;
const keepAliveMs = 10_000;
const keepAliveMsMax = 60_000;

/** Keeps connections to one other side open, and bounds how long and how much it may answer. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { baseUrl, timeoutMs, errors } = options;
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, {
    connections: options.connectionsMax ?? connectionsMaxDefault,
    maxResponseSize: options.responseBytesMax ?? responseBytesMaxDefault,
    connect: { timeout: timeoutMs },
    // One limit holds for the whole request, so the client keeps none of its own for the parts.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMsMax,
  });
  return {
    request: async (request) => {
      const { status, value } = await exchange(pool, prefix, { timeoutMs, ...request }).catch((error: unknown) => {
        const code = error instanceof TimeIsUpError ? errors.timedOut : errors.unavailable;
        throw new AppError(code, {}, { cause: error });
      });
      if (status < 200 || status > 299) throw new HttpStatusError(status, value);
      const parsed = request.answer.safeParse(value);
      if (!parsed.success) throw new AppError(errors.unavailable, {}, { cause: parsed.error });
      return parsed.data;
    },
    close: () => pool.close(),
  };
}

class TimeIsUpError extends Error {}

type Timed = HttpRequest<z.ZodType> & { readonly timeoutMs: number };
type Exchanged = { readonly status: number; readonly value: unknown };

async function exchange(pool: Pool, prefix: string, request: Timed): Promise<Exchanged> {
  request.signal?.throwIfAborted();
  const { status, body } = await answerTo(pool, request, {
    method: request.method,
    path: prefix + request.path,
    headers: headersOf(request),
    body: request.body === undefined ? null : JSON.stringify(request.body),
  });
  return { status, value: parseIfJson(status, body) };
}

type Answer = { readonly status: number; readonly body: Buffer };

/**
 * The answer in one piece. The client's own reading makes a stream of every body, which costs as much as the rest of a request
 * whose body comes in one piece anyway.
 */
function answerTo(
  pool: Pool,
  { timeoutMs, signal }: Pick<Timed, 'timeoutMs' | 'signal'>,
  sent: Dispatcher.DispatchOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let calledOff: Error | undefined;
    let status = 0;
    const pieces: Buffer[] = [];
    const lift = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    };
    const fail = (error: Error): void => {
      lift();
      reject(error);
    };
    const callOff = (error: Error): void => {
      calledOff = error;
      controller?.abort(error);
      fail(error);
    };
    const leave = (): void => callOff(new Error('called off', { cause: signal?.reason }));
    const timer = setTimeout(() => callOff(new TimeIsUpError(`no answer within ${timeoutMs} ms`)), timeoutMs);
    signal?.addEventListener('abort', leave, { once: true });
    pool.dispatch(sent, {
      onRequestStart: (started) => {
        controller = started;
        // It waited for a connection until nobody wanted it any more: nothing is sent.
        if (calledOff !== undefined) started.abort(calledOff);
      },
      // Answers that only announce another one have no body.
      onResponseStart: (_, statusCode) => (status = statusCode),
      onResponseData: (_, piece) => pieces.push(piece),
      onResponseEnd: () => {
        lift();
        resolve({ status, body: Buffer.concat(pieces) });
      },
      onResponseError: (_, error) => fail(error),
    });
  });
}

function headersOf({ headers, body }: HttpRequest<z.ZodType>): Record<string, string> {
  return { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
}

const utf8 = new TextDecoder();

/** Pages of proxies in between are not JSON, whatever they claim; their status still counts. */
function parseIfJson(status: number, body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(utf8.decode(body));
  } catch (error) {
    if (status >= 200 && status <= 299) throw error;
    return undefined;
  }
}
