import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { ServiceName } from '@holdfast/shared/contracts/services';
import { AppError } from '@holdfast/shared/errors';
import { SenderLeftError } from '@holdfast/shared/http-server';
import { Pool, type Dispatcher } from 'undici';
import type { ServiceUrls } from './config.js';
import { responseHeaders } from './forwarded-headers.js';
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

type Target = { readonly pool: Pool; inFlight: number };

/** Passes requests on over connections that stay open. It reads nothing of what it passes, and answers pass through as they come. */
export function createProxy({ serviceUrls, timeoutMs }: ProxyOptions): Proxy {
  const targets = new Map<string, Target>();
  for (const [name, url] of Object.entries(serviceUrls)) {
    const limits = {
      connections: connectionsMax,
      connect: { timeout: connectTimeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    };
    targets.set(name, { pool: new Pool(url, limits), inFlight: 0 });
  }
  const reach = async <T>(service: ServiceName, work: (pool: Pool) => Promise<T>): Promise<T> => {
    const target = targets.get(service);
    if (target === undefined || target.inFlight >= inFlightMax) throw new AppError('SERVICE_UNAVAILABLE');
    target.inFlight += 1;
    try {
      return await work(target.pool);
    } finally {
      target.inFlight -= 1;
    }
  };
  return {
    forward: (outgoing, receiver) => reach(outgoing.service, (pool) => passThrough(pool, outgoing, receiver)),
    fetch: (outgoing) => reach(outgoing.service, (pool) => collect(pool, outgoing)),
    close: async () => {
      await Promise.all([...targets.values()].map(({ pool }) => pool.close()));
    },
  };
}

/** Far more than the record that a route with an Idempotency-Key answers with. */
const replyBytesMax = 1024 * 1024;

async function collect(pool: Pool, { method, url: path, headers, body }: Outgoing): Promise<Reply> {
  try {
    const answer = await pool.request({ method, path, headers, body: body.length === 0 ? null : body });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of answer.body) {
      if (!Buffer.isBuffer(chunk)) continue;
      bytes += chunk.length;
      if (bytes > replyBytesMax) throw new Error('the answer is too large to be kept');
      chunks.push(chunk);
    }
    return { status: answer.statusCode, headers: responseHeaders(answer.headers), body: Buffer.concat(chunks) };
  } catch (error) {
    throw translated(error);
  }
}

function passThrough(pool: Pool, { method, url: path, headers, body }: Outgoing, receiver: Receiver): Promise<number> {
  const { response, ownHeaders } = receiver;
  return new Promise((resolve, reject) => {
    let status = 0;
    let bytesLeft = Infinity;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => {
        const leave = (): void => {
          if (!response.writableFinished) controller.abort(new SenderLeftError());
        };
        if (response.destroyed) leave();
        response.once('close', leave);
      },
      onResponseStart: (_controller, statusCode, received: IncomingHttpHeaders) => {
        if (statusCode < 200) return; // announces that the answer will follow
        status = statusCode;
        const length = received['content-length'];
        bytesLeft = Number(length ?? Infinity);
        const framing = length === undefined ? [] : ['Content-Length', length];
        response.writeHead(statusCode, responseHeaders(received).concat(framing, ownHeaders()));
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
    pool.dispatch({ method, path, headers, body: body.length === 0 ? null : body }, handler);
  });
}

function pauseUntilDrained(controller: Dispatcher.DispatchController, response: ServerResponse): void {
  controller.pause();
  response.once('drain', () => controller.resume());
}

const timeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

function translated(error: unknown): AppError {
  const isTimeUp = error instanceof Error && 'code' in error && typeof error.code === 'string' && timeoutCodes.has(error.code);
  return new AppError(isTimeUp ? 'PROVIDER_TIMEOUT' : 'SERVICE_UNAVAILABLE', {}, { cause: error });
}
