import { Pool } from 'undici';
import type { z } from 'zod';
import { AppError, type ErrorCode } from '@holdfast/kernel/errors';
import { addSpanAttributes, inClientSpan, traceHeaders } from '@holdfast/observability';
import { HttpStatusError } from './http-status-error.js';
import { requestSender, TimedOut, type SendRequest } from './send-request.js';

export type HttpClientOptions = {
  /** May have a path, which is then the prefix of all requests. */
  readonly baseUrl: string;
  /** From the call to the last byte of the response, including the time in the queue and for the connection. */
  readonly timeoutMs: number;
  readonly responseBytesMax?: number;
  readonly connectionsMax?: number;
  /** Maximum number of requests that wait for a connection; further ones fail at once. */
  readonly queueMax?: number;
  /** Error codes for a server that does not respond, and for one that does not respond in time. */
  readonly errors: { readonly unavailable: ErrorCode; readonly timedOut: ErrorCode };
  /** The name of the server in traces. Default: its host. */
  readonly peer?: string;
  /** Whether the server is a process of the platform, which continues our traces. Others do not get their ids. */
  readonly isPlatform?: boolean;
};

export type HttpRequest<Schema extends z.ZodType> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** What the call does, without ids: shown in traces, because the path may have personal data. */
  readonly operation?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The schema of a 2xx response. */
  readonly responseSchema: Schema;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

export type HttpClient = {
  /** The parsed response. HttpStatusError for any status but 2xx, else an AppError of `errors`. Nothing is retried. */
  readonly request: <Schema extends z.ZodType>(request: HttpRequest<Schema>) => Promise<z.output<Schema>>;
  /** Requests in flight finish first. */
  readonly close: () => Promise<void>;
};

const responseBytesMaxDefault = 1024 * 1024;
const connectionsMaxDefault = 64;
const queueMaxDefault = 1_000;
/** Shorter than the keep-alive timeout of our servers, so that no request uses a connection that is about to be closed. */
const keepAliveMs = 60_000;

/** A client for one server with a connection pool and limits on time, response size and queue length. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { baseUrl, timeoutMs, errors, connectionsMax = connectionsMaxDefault, queueMax = queueMaxDefault } = options;
  const { origin, pathname, host } = new URL(baseUrl);
  const pool = new Pool(origin, {
    connections: connectionsMax,
    pipelining: 1,
    connect: { timeout: timeoutMs },
    // The sender limits the whole time.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    maxResponseSize: options.responseBytesMax ?? responseBytesMaxDefault,
  });
  const target = { sendRequest: requestSender(pool, connectionsMax + queueMax), prefix: pathname.replace(/\/$/, '') };
  const { peer = host, isPlatform = false } = options;
  const exchange = async <Schema extends z.ZodType>(request: HttpRequest<Schema>): Promise<z.output<Schema>> => {
    const { status, value } = await send(target, request, request.timeoutMs ?? timeoutMs).catch((error: unknown) => {
      throw new AppError(error instanceof TimedOut ? errors.timedOut : errors.unavailable, {}, { cause: error });
    });
    addSpanAttributes({ 'http.response.status_code': status });
    if (!isSuccess(status)) throw new HttpStatusError(status, value);
    const parsed = request.responseSchema.safeParse(value);
    if (!parsed.success) throw new AppError(errors.unavailable, {}, { cause: parsed.error });
    return parsed.data;
  };
  return {
    request: (request) =>
      inClientSpan(spanOf(peer, request), () =>
        exchange(isPlatform ? { ...request, headers: { ...request.headers, ...traceHeaders() } } : request),
      ),
    close: () => pool.close(),
  };
}

function spanOf(peer: string, { method, operation }: HttpRequest<z.ZodType>) {
  const attributes = { 'peer.service': peer, 'http.request.method': method };
  return { name: operation === undefined ? `${method} ${peer}` : `${operation} ${peer}`, attributes };
}

type Target = { readonly sendRequest: SendRequest; readonly prefix: string };
type Received = { readonly status: number; readonly value: unknown };

async function send({ sendRequest, prefix }: Target, request: HttpRequest<z.ZodType>, limitMs: number): Promise<Received> {
  const { method, path, headers, body, signal } = request;
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const { status, text } = await sendRequest(
    {
      method,
      path: prefix + path,
      headers: { ...headers, ...json, accept: 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    },
    { limitMs, signal },
  );
  return { status, value: parseIfJson(status, text) };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** Error responses of proxies may not be JSON; then only their status is used. */
function parseIfJson(status: number, text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (isSuccess(status)) throw error;
    return undefined;
  }
}
