import type { ServerResponse } from 'node:http';
import type { ServiceName } from '@holdfast/shared/contracts/services';
import { AppError } from '@holdfast/shared/errors';
import {
  SilenceError,
  createCarrier,
  pooledCarrier,
  type AnswerController,
  type AnswerHandler,
  type Carrier,
} from '@holdfast/shared/http-connections';
import { SenderLeftError } from '@holdfast/shared/http-server';
import { Pool } from 'undici';
import type { ServiceUrls } from './config.js';
import { responseHeaders, setHeaders } from './forwarded-headers.js';
import type { Reply } from './sealed-reply.js';

export type ProxyOptions = {
  readonly serviceUrls: ServiceUrls;
  /** How long a service may take until its answer begins, and between two pieces of it. */
  readonly timeoutMs: number;
};

export type Outgoing = {
  readonly service: ServiceName;
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: string[];
  readonly body: Buffer;
  /** Whether the answer goes on until somebody leaves. */
  readonly isStream: boolean;
};

/** Whoever the answer goes to. */
export type Receiver = {
  readonly response: ServerResponse;
  /** Names and values in turn, beside those of the service; asked for when the answer begins. */
  readonly ownHeaders: () => readonly string[];
};

export type Proxy = {
  /** The status that was passed through. Throws while nothing has been sent yet; afterwards the connection is cut. */
  readonly forward: (outgoing: Outgoing, receiver: Receiver) => Promise<number>;
  /** The answer in one piece. Whoever asked for it may leave: it is waited for all the same. */
  readonly fetch: (outgoing: Outgoing) => Promise<Reply>;
  readonly close: () => Promise<void>;
};

const connectionsMax = 128;
const connectTimeoutMs = 2_000;
/** Requests under way to one service. Beyond it the gateway refuses instead of collecting them. */
const inFlightMax = 4_000;
/** How long a stream may be silent: three of its pings, and whoever sends none for so long is gone. */
const streamSilenceMsMax = 90_000;

/** Streams have connections of their own, one each and as many as are let in: no request ever waits for one of them to end. */
type Target = { readonly requests: Carrier; readonly streams: Carrier; inFlight: number };

/** Passes requests on over connections that stay open. It reads nothing of what it passes, and answers pass through as they come. */
export function createProxy({ serviceUrls, timeoutMs }: ProxyOptions): Proxy {
  const targets = new Map<string, Target>();
  for (const [name, url] of Object.entries(serviceUrls)) {
    const requests = createCarrier({ url: new URL(url), connectionsMax, connectTimeoutMs, timeoutMs });
    const limits = { connect: { timeout: connectTimeoutMs }, headersTimeout: timeoutMs, bodyTimeout: streamSilenceMsMax };
    const streams = pooledCarrier(new Pool(url, { ...limits, connections: null }));
    targets.set(name, { requests, streams, inFlight: 0 });
  }
  const reach = async <T>(service: ServiceName, work: (carrier: Carrier) => Promise<T>): Promise<T> => {
    const target = targets.get(service);
    if (target === undefined || target.inFlight >= inFlightMax) throw new AppError('SERVICE_UNAVAILABLE');
    target.inFlight += 1;
    try {
      return await work(target.requests);
    } finally {
      target.inFlight -= 1;
    }
  };
  return {
    forward: (outgoing, receiver) => {
      if (outgoing.isStream) return passThrough(streamsOf(targets, outgoing.service), outgoing, receiver);
      return reach(outgoing.service, (carrier) => passThrough(carrier, outgoing, receiver));
    },
    fetch: (outgoing) => reach(outgoing.service, (carrier) => collect(carrier, outgoing)),
    close: async () => {
      await Promise.all([...targets.values()].flatMap(({ requests, streams }) => [requests.close(), streams.close()]));
    },
  };
}

/** They last, so they are not counted among the requests under way; how many there are is limited where they are let in. */
function streamsOf(targets: ReadonlyMap<string, Target>, service: ServiceName): Carrier {
  const target = targets.get(service);
  if (target === undefined) throw new AppError('SERVICE_UNAVAILABLE');
  return target.streams;
}

/** Far more than the record that a route with an Idempotency-Key answers with. */
const replyBytesMax = 1024 * 1024;

function collect(carrier: Carrier, { method, url: path, headers, body }: Outgoing): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let start = { status: 0, headers: responseHeaders({}) };
    const handler: AnswerHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, status, received) => {
        start = { status, headers: responseHeaders(received) };
      },
      onResponseData: (controller, chunk) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > replyBytesMax) controller.abort(new Error('the answer is too large to be kept'));
      },
      onResponseEnd: () => resolve({ ...start, body: Buffer.concat(chunks) }),
      onResponseError: (_controller, error) => reject(translated(error)),
    };
    carrier.dispatch({ method, path, headers, body: body.length === 0 ? null : body }, handler);
  });
}

function passThrough(carrier: Carrier, { method, url: path, headers, body }: Outgoing, receiver: Receiver): Promise<number> {
  const { response, ownHeaders } = receiver;
  return new Promise((resolve, reject) => {
    let status = 0;
    let bytesLeft = Infinity;
    const handler: AnswerHandler = {
      onRequestStart: (controller) => {
        const leave = (): void => {
          if (!response.writableFinished) controller.abort(new SenderLeftError());
        };
        if (response.destroyed) leave();
        response.once('close', leave);
      },
      onResponseStart: (_controller, statusCode, received) => {
        if (statusCode < 200) return; // announces that the answer will follow
        status = statusCode;
        const length = received['content-length'];
        bytesLeft = Number(length ?? Infinity);
        const framing = length === undefined ? [] : ['Content-Length', length];
        setHeaders(response, responseHeaders(received).concat(framing, ownHeaders()));
        response.writeHead(statusCode);
        // A stream begins with its headers, however long its first piece may take.
        if (length === undefined) response.flushHeaders();
      },
      onResponseData: (controller, chunk) => {
        bytesLeft -= chunk.length;
        // The last piece goes out together with the end, and a small answer in one write with its headers.
        if (bytesLeft === 0) response.end(chunk);
        else if (!response.write(chunk)) pauseUntilDrained(controller, response);
      },
      onResponseEnd: () => {
        if (!response.writableEnded) response.end();
        resolve(status);
      },
      onResponseError: (_controller, error) => {
        if (!response.headersSent) {
          reject(error instanceof SenderLeftError ? error : translated(error));
          return;
        }
        response.destroy();
        resolve(status);
      },
    };
    carrier.dispatch({ method, path, headers, body: body.length === 0 ? null : body }, handler);
  });
}

function pauseUntilDrained(controller: AnswerController, response: ServerResponse): void {
  controller.pause();
  response.once('drain', () => controller.resume());
}

const timeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

function translated(error: Error): AppError {
  const isLate = 'code' in error && typeof error.code === 'string' && timeoutCodes.has(error.code);
  const isTimeUp = isLate || error instanceof SilenceError;
  return new AppError(isTimeUp ? 'PROVIDER_TIMEOUT' : 'SERVICE_UNAVAILABLE', {}, { cause: error });
}
