import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Pool, errors, type Dispatcher } from 'undici';
import type { RouteDeclaration } from '@holdfast/contracts/http';
import type { ServiceName } from '@holdfast/contracts/services';
import { createSemaphore, type Semaphore, type SemaphoreLimits } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { ClientDisconnectedError, countedHeader } from '@holdfast/http/server';
import { inClientSpan, traceHeaders } from '@holdfast/observability';
import type { ServiceUrls } from './config.js';
import { responseHeaders, setResponseHeaders } from './forwarded-headers.js';
import { createEndingStreams, type EndingStreams } from './ending-streams.js';
import { mayBeRepeated } from './may-be-repeated.js';
import type { GatewayMeasurement } from './metrics.js';
import type { StoredResponse } from './sealed-response.js';
import { ServiceUnreachable } from './service-unreachable.js';
import { createUpstreamBreaker, type UpstreamBreaker } from './upstream-breaker.js';

/**
 * Each service has three connection pools, so that slow requests never block fast ones. `waiting` serves requests that may wait for a saga
 * or a provider, `streams` serves event streams, and `standard` serves all others.
 */
export type PoolName = 'standard' | 'waiting' | 'streams';

/** The pool for the requests of a route. */
export function poolOf({ success, waitsFor }: Pick<RouteDeclaration, 'success' | 'waitsFor'>): PoolName {
  if (success.form === 'event-stream') return 'streams';
  return waitsFor === undefined ? 'standard' : 'waiting';
}

export type ProxyOptions = {
  readonly serviceUrls: ServiceUrls;
  readonly log: Log;
  readonly measurement: GatewayMeasurement;
  /** Maximum time until the response of a service begins, unless the request says more, and between two chunks of it. */
  readonly timeoutMs: number;
  readonly limits?: ProxyLimits;
};

/** Limits per service. `limitStreams` limits the streams. */
export type ProxyLimits = Readonly<Record<Exclude<PoolName, 'streams'>, SemaphoreLimits>>;

export type OutgoingRequest = {
  readonly service: ServiceName;
  readonly pool: PoolName;
  /** How many times `timeoutMs` the response may take to begin; more than 1 for a request that waits for several sagas. */
  readonly timeoutFactor: number;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Alternating names and values. */
  readonly headers: string[];
  readonly body: Buffer;
};

/** `isCounted`: the service says that the request counts for the rate limit of its address. */
export type FetchedResponse = StoredResponse & { readonly isCounted: boolean };

export type Proxy = {
  /**
   * Streams the response of the service to the client and returns its status. Headers that are already set on `response` are
   * sent, too. Throws if the request fails before the headers were sent; later failures destroy the client's connection.
   */
  readonly forward: (outgoing: OutgoingRequest, response: ServerResponse) => Promise<number>;
  /** Reads the whole response, even if the client disconnects. */
  readonly fetch: (outgoing: OutgoingRequest) => Promise<FetchedResponse>;
  /** Ends the open event streams, with a delay after which the client reconnects. */
  readonly endStreams: () => void;
  /** Requests in flight finish first. */
  readonly close: () => Promise<void>;
};

const defaultLimits: ProxyLimits = {
  standard: { runningMax: 128, queueMax: 2_000, queueTimeoutMs: 5_000 },
  waiting: { runningMax: 512, queueMax: 1_000, queueTimeoutMs: 5_000 },
};
const connectTimeoutMs = 2_000;
/** Shorter than the services' own keep-alive timeout, so that no request uses a connection that is about to be closed. */
const keepAliveMs = 60_000;
/** Three ping intervals of an event stream. */
const streamIdleMsMax = 90_000;

type Target = {
  readonly pools: Readonly<Record<PoolName, Pool>>;
  readonly slots: Readonly<Record<keyof ProxyLimits, Semaphore>>;
  readonly breaker: UpstreamBreaker;
};

/** Forwards requests to the services without parsing bodies. */
export function createProxy({ serviceUrls, timeoutMs, log, measurement, limits = defaultLimits }: ProxyOptions): Proxy {
  const targets = new Map(
    Object.entries(serviceUrls).map(([name, url]) => {
      const breaker = createUpstreamBreaker({ upstream: name, log, measurement });
      return [name, { ...createTarget(url, timeoutMs, limits), breaker } satisfies Target];
    }),
  );
  const streams = createEndingStreams();
  const inPool = async <T>({ service, pool, method }: OutgoingRequest, work: Work<T>): Promise<T> => {
    const target = targets.get(service);
    if (target === undefined) throw new AppError('SERVICE_UNAVAILABLE');
    const connections = target.pools[pool];
    const send = (): Promise<T> =>
      target.breaker.run((onResponse) =>
        work(connections, onResponse).catch((error: unknown) => {
          if (!mayBeRepeated(method, error)) throw error;
          return work(connections, onResponse);
        }),
      );
    return pool === 'streams' ? send() : target.slots[pool].run(send);
  };
  return {
    forward: (outgoing, response) =>
      inClientSpan(spanOf(outgoing), () =>
        inPool(outgoing, (connections, onResponse) => {
          const request = requestOf(outgoing, timeoutMs);
          const ending = outgoing.pool === 'streams' ? streams : undefined;
          return passThrough(connections, request, { response, onResponse, streams: ending });
        }),
      ),
    fetch: (outgoing) =>
      inClientSpan(spanOf(outgoing), () =>
        inPool(outgoing, (connections, onResponse) => collect(connections, requestOf(outgoing, timeoutMs), onResponse)),
      ),
    endStreams: streams.endAll,
    close: async () => {
      const pools = [...targets.values()].flatMap((target) => Object.values(target.pools));
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}

/** `onResponse` is called when the response of the service begins. */
type Work<Result> = (connections: Pool, onResponse: () => void) => Promise<Result>;

function createTarget(url: string, timeoutMs: number, { standard, waiting }: ProxyLimits): Omit<Target, 'breaker'> {
  const common = {
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    bodyTimeout: timeoutMs,
    keepAliveTimeout: keepAliveMs,
  };
  return {
    pools: {
      standard: new Pool(url, { ...common, connections: standard.runningMax }),
      waiting: new Pool(url, { ...common, connections: waiting.runningMax }),
      streams: new Pool(url, { ...common, connections: null, bodyTimeout: streamIdleMsMax }),
    },
    slots: { standard: createSemaphore(standard), waiting: createSemaphore(waiting) },
  };
}

type Receiver = {
  readonly response: ServerResponse;
  readonly onResponse: () => void;
  readonly streams: EndingStreams | undefined;
};

/** Streams with backpressure: the service is paused while the client reads slowly. */
function passThrough(
  connections: Pool,
  request: Dispatcher.RequestOptions,
  { response, onResponse, streams }: Receiver,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let isBetweenEvents = true;
    let controller: Dispatcher.DispatchController | undefined;
    const abort = (): void => controller?.abort(new ClientDisconnectedError());
    response.once('close', abort);
    connections.dispatch(request, {
      onRequestStart: (started) => {
        controller = started;
        if (response.destroyed) abort();
      },
      onResponseStart: (_, statusCode, headers) => {
        if (statusCode < 200) return; // An informational response; the final one follows.
        status = statusCode;
        onResponse();
        startResponse(response, statusCode, headers);
        streams?.add(response, () => isBetweenEvents);
      },
      onResponseData: (started, chunk) => {
        if (response.writableEnded) return; // The gateway has ended the stream.
        isBetweenEvents = endsEvent(chunk);
        if (response.write(chunk)) return;
        started.pause();
        response.once('drain', () => started.resume());
      },
      onResponseEnd: () => {
        response.off('close', abort);
        response.end();
        resolve(status);
      },
      onResponseError: (_, error) => {
        response.off('close', abort);
        if (!response.headersSent) reject(error instanceof ClientDisconnectedError ? error : toAppError(error));
        else response.destroy();
        resolve(status);
      },
    });
  });
}

const lineFeed = 0x0a;

/** An event ends with an empty line. */
function endsEvent(chunk: Buffer): boolean {
  return chunk.at(-1) === lineFeed && chunk.at(-2) === lineFeed;
}

function startResponse(response: ServerResponse, status: number, headers: IncomingHttpHeaders): void {
  const { 'content-length': length } = headers;
  setResponseHeaders(response, headers);
  if (length !== undefined) response.setHeader('Content-Length', length);
  response.writeHead(status);
  // The client of a stream gets the headers before the first event.
  if (length === undefined) response.flushHeaders();
}

/** Limits the memory of a request. Routes with an Idempotency-Key respond with a single record, which is far smaller. */
const responseBytesMax = 1024 * 1024;

async function collect(connections: Pool, request: Dispatcher.RequestOptions, onResponse: () => void): Promise<FetchedResponse> {
  try {
    const { statusCode, headers, body } = await connections.request(request);
    onResponse();
    const received: AsyncIterable<Buffer> = body;
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of received) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > responseBytesMax) throw new Error(`the response has more than ${responseBytesMax} bytes`);
    }
    const isCounted = headers[countedHeader] !== undefined;
    return { status: statusCode, headers: responseHeaders(headers), body: Buffer.concat(chunks), isCounted };
  } catch (error) {
    throw toAppError(error);
  }
}

function spanOf({ service, method, pool }: OutgoingRequest) {
  const attributes = { 'peer.service': service, 'http.request.method': method, 'holdfast.connection_pool': pool };
  return { name: `${method} ${service}`, attributes };
}

function requestOf(outgoing: OutgoingRequest, timeoutMs: number): Dispatcher.RequestOptions {
  const { method, url, body, timeoutFactor } = outgoing;
  const headers = [...outgoing.headers, ...Object.entries(traceHeaders()).flat()];
  return { method, path: url, headers, body: body.length === 0 ? null : body, headersTimeout: timeoutMs * timeoutFactor };
}

function toAppError(error: unknown): AppError {
  const isTimedOut = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  return isTimedOut ? new AppError('PROVIDER_TIMEOUT', {}, { cause: error }) : new ServiceUnreachable({ cause: error });
}
