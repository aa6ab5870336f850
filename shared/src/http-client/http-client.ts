import type { z } from 'zod';
import { AppError, type ErrorCode } from '../errors/index.js';
import {
  createCarrier,
  SilenceError,
  type AnswerController,
  type CarriedRequest,
  type Carrier,
} from '../http-connections/index.js';
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

/** Keeps connections to one other side open, and bounds how long and how much it may answer. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { baseUrl, timeoutMs, connectionsMax = connectionsMaxDefault } = options;
  const limits = { connectionsMax, connectTimeoutMs: timeoutMs, timeoutMs };
  return clientOver(createCarrier({ url: new URL(baseUrl), ...limits }), options);
}

/** The same over given connections. */
export function clientOver(carrier: Carrier, options: HttpClientOptions): HttpClient {
  const { baseUrl, timeoutMs, errors, responseBytesMax = responseBytesMaxDefault } = options;
  const side = { carrier, prefix: new URL(baseUrl).pathname.replace(/\/$/, ''), responseBytesMax };
  return {
    request: async (request) => {
      const { status, value } = await exchange(side, { timeoutMs, ...request }).catch((error: unknown) => {
        throw new AppError(isTimeUp(error) ? errors.timedOut : errors.unavailable, {}, { cause: error });
      });
      if (status < 200 || status > 299) throw new HttpStatusError(status, value);
      const parsed = request.answer.safeParse(value);
      if (!parsed.success) throw new AppError(errors.unavailable, {}, { cause: parsed.error });
      return parsed.data;
    },
    close: carrier.close,
  };
}

class TimeIsUpError extends Error {}

const timeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

function isTimeUp(error: unknown): boolean {
  if (error instanceof TimeIsUpError || error instanceof SilenceError) return true;
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && timeoutCodes.has(error.code);
}

type OtherSide = { readonly carrier: Carrier; readonly prefix: string; readonly responseBytesMax: number };
type Timed = HttpRequest<z.ZodType> & { readonly timeoutMs: number };
type Exchanged = { readonly status: number; readonly value: unknown };

async function exchange(side: OtherSide, request: Timed): Promise<Exchanged> {
  request.signal?.throwIfAborted();
  const { status, body } = await answerTo(side, request, {
    method: request.method,
    path: side.prefix + request.path,
    headers: headersOf(request),
    body: request.body === undefined ? null : Buffer.from(JSON.stringify(request.body)),
  });
  return { status, value: parseIfJson(status, body) };
}

type Answer = { readonly status: number; readonly body: Buffer };

/** The answer in one piece. Whoever waits is told of every end at once, also while the request still waits for a connection. */
function answerTo(
  { carrier, responseBytesMax }: OtherSide,
  { timeoutMs, signal }: Pick<Timed, 'timeoutMs' | 'signal'>,
  sent: CarriedRequest,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let controller: AnswerController | undefined;
    let calledOff: Error | undefined;
    let status = 0;
    let bytesLeft = responseBytesMax;
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
      fail(error);
      controller?.abort(error);
    };
    const leave = (): void => callOff(new Error('called off', { cause: signal?.reason }));
    const timer = setTimeout(() => callOff(new TimeIsUpError(`no answer within ${timeoutMs} ms`)), timeoutMs);
    signal?.addEventListener('abort', leave, { once: true });
    carrier.dispatch(sent, {
      onRequestStart: (started) => {
        controller = started;
        // It waited for a connection until nobody wanted it any more: nothing is sent.
        if (calledOff !== undefined) started.abort(calledOff);
      },
      onResponseStart: (_, statusCode) => (status = statusCode),
      onResponseData: (_, piece) => {
        bytesLeft -= piece.length;
        if (bytesLeft < 0) callOff(new Error(`the answer has more than ${responseBytesMax} bytes`));
        else pieces.push(piece);
      },
      onResponseEnd: () => {
        lift();
        resolve({ status, body: Buffer.concat(pieces) });
      },
      onResponseError: (_, error) => fail(error),
    });
  });
}

const plainHeaders = ['accept', 'application/json'];
const jsonHeaders = [...plainHeaders, 'content-type', 'application/json'];

/** Names and values in turn. */
function headersOf({ headers = {}, body }: HttpRequest<z.ZodType>): string[] {
  return (body === undefined ? plainHeaders : jsonHeaders).concat(Object.entries(headers).flat());
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
