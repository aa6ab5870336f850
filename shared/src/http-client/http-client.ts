import { EventEmitter } from 'node:events';
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
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMsMax,
  });
  return {
    request: async (request) => {
      const limit = limitOf(request, timeoutMs);
      const { status, value } = await exchange(pool, prefix, request, limit)
        .catch((error: unknown) => {
          throw translated(error, limit, errors);
        })
        .finally(limit.lift);
      if (status < 200 || status > 299) throw new HttpStatusError(status, value);
      const parsed = request.answer.safeParse(value);
      if (!parsed.success) throw new AppError(errors.unavailable, {}, { cause: parsed.error });
      return parsed.data;
    },
    close: () => pool.close(),
  };
}

type Limit = { readonly calledOff: EventEmitter; readonly isTimeUp: () => boolean; readonly lift: () => void };

/** What ends a request early. A timer and an emitter cost a fraction of what signals that are joined would. */
function limitOf({ signal, timeoutMs }: HttpRequest<z.ZodType>, timeoutMsDefault: number): Limit {
  const calledOff = new EventEmitter();
  let isTimeUp = false;
  const callOff = (): void => void calledOff.emit('abort');
  const timer = setTimeout(() => {
    isTimeUp = true;
    callOff();
  }, timeoutMs ?? timeoutMsDefault);
  signal?.addEventListener('abort', callOff, { once: true });
  return {
    calledOff,
    isTimeUp: () => isTimeUp,
    lift: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', callOff);
    },
  };
}

type Exchanged = { readonly status: number; readonly value: unknown };

async function exchange(pool: Pool, prefix: string, request: HttpRequest<z.ZodType>, limit: Limit): Promise<Exchanged> {
  request.signal?.throwIfAborted();
  const response = await pool.request({
    method: request.method,
    path: prefix + request.path,
    headers: headersOf(request),
    body: request.body === undefined ? null : JSON.stringify(request.body),
    signal: limit.calledOff,
  });
  const text = await response.body.text();
  return { status: response.statusCode, value: parseIfJson(text, response) };
}

function headersOf({ headers, body }: HttpRequest<z.ZodType>): Record<string, string> {
  return { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
}

/** Pages of proxies in between are not JSON, whatever they claim; their status still counts. */
function parseIfJson(text: string, { statusCode }: Dispatcher.ResponseData): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (statusCode >= 200 && statusCode <= 299) throw error;
    return undefined;
  }
}

const timeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

function translated(error: unknown, limit: Limit, errors: HttpClientOptions['errors']): AppError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const isTimeUp = limit.isTimeUp() || (typeof code === 'string' && timeoutCodes.has(code));
  return new AppError(isTimeUp ? errors.timedOut : errors.unavailable, {}, { cause: error });
}
