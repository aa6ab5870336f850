import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Pool, errors, type Dispatcher } from 'undici';
import type { RouteDeclaration } from '@holdfast/contracts/http';
import type { ServiceName } from '@holdfast/contracts/services';
import { AppError } from '@holdfast/kernel/errors';
import { ClientDisconnectedError } from '@holdfast/http/server';
import type { ServiceUrls } from './config.js';
import { responseHeaders, setResponseHeaders } from './forwarded-headers.js';
import { createRequestSlots, type RequestSlots, type SlotLimits } from './request-slots.js';
import type { StoredResponse } from './sealed-response.js';

/**
 * Each service has three connection pools, so that no kind of request holds up another: `standard` for what the service
 * responds to on its own, `waiting` for what may wait for a saga or a provider, `streams` for event streams.
 */
export type PoolName = 'standard' | 'waiting' | 'streams';

/** The pool that the requests of a route take. */
export function poolOf({ success, waitsFor }: Pick<RouteDeclaration, 'success' | 'waitsFor'>): PoolName {
  if (success.form === 'event-stream') return 'streams';
  return waitsFor === undefined ? 'standard' : 'waiting';
}

export type ProxyOptions = {
  readonly serviceUrls: ServiceUrls;
  /** How long a service may take until its response begins, and between two pieces of it. */
  readonly timeoutMs: number;
  readonly limits?: ProxyLimits;
};

/** For each service. Streams have no limit here: how many there are is limited where they are let in. */
export type ProxyLimits = Readonly<Record<Exclude<PoolName, 'streams'>, SlotLimits>>;

export type OutgoingRequest = {
  readonly service: ServiceName;
  readonly pool: PoolName;
  readonly method: string;
  /** With its query. */
  readonly url: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: Buffer;
};

export type Proxy = {
  /**
   * The status that was passed through; headers that the response has already are kept beside those of the service. Throws while
   * nothing has been sent yet; afterwards the connection is cut.
   */
  readonly forward: (outgoing: OutgoingRequest, response: ServerResponse) => Promise<number>;
  /** The response in one piece, also when the client has left meanwhile. */
  readonly fetch: (outgoing: OutgoingRequest) => Promise<StoredResponse>;
  /** Requests in flight finish first. */
  readonly close: () => Promise<void>;
};

const defaultLimits: ProxyLimits = {
  standard: { runningMax: 128, queueMax: 2_000, queueTimeoutMs: 5_000 },
  waiting: { runningMax: 512, queueMax: 1_000, queueTimeoutMs: 5_000 },
};
const connectTimeoutMs = 2_000;
/** Shorter than services keep an idle connection, so that none is used that is about to be closed. */
const keepAliveMs = 60_000;
/** How long a stream may be silent: as long as three of its pings take. */
const streamIdleMsMax = 90_000;

type Target = {
  readonly pools: Readonly<Record<PoolName, Pool>>;
  readonly slots: Readonly<Record<keyof ProxyLimits, RequestSlots>>;
};

/** Passes requests on to the services and their responses back, reading neither. */
export function createProxy({ serviceUrls, timeoutMs, limits = defaultLimits }: ProxyOptions): Proxy {
  const targets = new Map(Object.entries(serviceUrls).map(([name, url]) => [name, createTarget(url, timeoutMs, limits)]));
  const inPool = async <T>({ service, pool }: OutgoingRequest, work: (connections: Pool) => Promise<T>): Promise<T> => {
    const target = targets.get(service);
    if (target === undefined) throw new AppError('SERVICE_UNAVAILABLE');
    const connections = target.pools[pool];
    return pool === 'streams' ? work(connections) : target.slots[pool].run(() => work(connections));
  };
  return {
    forward: (outgoing, response) => inPool(outgoing, (connections) => passThrough(connections, outgoing, response)),
    fetch: (outgoing) => inPool(outgoing, (connections) => collect(connections, outgoing)),
    close: async () => {
      const pools = [...targets.values()].flatMap((target) => Object.values(target.pools));
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}

function createTarget(url: string, timeoutMs: number, { standard, waiting }: ProxyLimits): Target {
  const common = {
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: keepAliveMs,
  };
  return {
    pools: {
      standard: new Pool(url, { ...common, connections: standard.runningMax }),
      waiting: new Pool(url, { ...common, connections: waiting.runningMax }),
      streams: new Pool(url, { ...common, connections: null, bodyTimeout: streamIdleMsMax }),
    },
    slots: { standard: createRequestSlots(standard), waiting: createRequestSlots(waiting) },
  };
}

/** The response goes to the client chunk by chunk, as fast as the client reads. */
function passThrough(connections: Pool, outgoing: OutgoingRequest, response: ServerResponse): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let controller: Dispatcher.DispatchController | undefined;
    const abort = (): void => controller?.abort(new ClientDisconnectedError());
    response.once('close', abort);
    connections.dispatch(requestOf(outgoing), {
      onRequestStart: (started) => {
        controller = started;
        if (response.destroyed) abort();
      },
      onResponseStart: (_, statusCode, headers) => {
        if (statusCode < 200) return; // announces that the response will follow
        status = statusCode;
        startResponse(response, statusCode, headers);
      },
      onResponseData: (started, chunk) => {
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
        if (!response.headersSent) reject(error instanceof ClientDisconnectedError ? error : translated(error));
        else response.destroy();
        resolve(status);
      },
    });
  });
}

function startResponse(response: ServerResponse, status: number, headers: IncomingHttpHeaders): void {
  const { 'content-length': length } = headers;
  setResponseHeaders(response, headers);
  if (length !== undefined) response.setHeader('Content-Length', length);
  response.writeHead(status);
  // A stream begins with its headers, however long its first piece may take.
  if (length === undefined) response.flushHeaders();
}

/** Far more than the record that a route with an Idempotency-Key responds with. */
const responseBytesMax = 1024 * 1024;

async function collect(connections: Pool, outgoing: OutgoingRequest): Promise<StoredResponse> {
  try {
    const { statusCode, headers, body } = await connections.request(requestOf(outgoing));
    const received: AsyncIterable<Buffer> = body;
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of received) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > responseBytesMax) throw new Error(`the response has more than ${responseBytesMax} bytes`);
    }
    return { status: statusCode, headers: responseHeaders(headers), body: Buffer.concat(chunks) };
  } catch (error) {
    throw translated(error);
  }
}

function requestOf({ method, url, headers, body }: OutgoingRequest): Dispatcher.RequestOptions {
  return { method, path: url, headers, body: body.length === 0 ? null : body };
}

function translated(error: unknown): AppError {
  const isTimedOut = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  return new AppError(isTimedOut ? 'PROVIDER_TIMEOUT' : 'SERVICE_UNAVAILABLE', {}, { cause: error });
}
