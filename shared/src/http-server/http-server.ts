import { IncomingMessage, ServerResponse, createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import express from 'express';
import { AppError } from '../errors/index.js';
import { bornWith } from './born-with.js';
import { createDispatch, type Dispatch, type DispatchOptions } from './dispatch.js';
import { errorEnvelope } from './envelopes.js';
import { bodyLimits } from './read-body.js';
import { requestIdOf } from './request-id.js';

/** How long each side may keep the other waiting, and how much it may send before it has said what it wants. */
export const connectionLimits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** Longer than the idle time of any proxy in front, so that no proxy sends into a connection that is being closed. */
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 2_000,
} as const;

/** Requests that run when the server is told to stop have this long to finish. */
export const drainTimeoutMs = 8_000;

export type HttpServerOptions = Omit<DispatchOptions, 'isStopping' | 'bodyLimits' | 'translateError'> &
  Partial<Pick<DispatchOptions, 'bodyLimits' | 'translateError'>> & {
    readonly host: string;
    /** 0 takes any free one. */
    readonly port: number;
    readonly drainTimeoutMs?: number;
  };

export type HttpServer = { readonly url: string; readonly port: number; readonly stop: () => Promise<void> };

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  let isStopping = false;
  const dispatch = createDispatch({ bodyLimits, translateError: () => undefined, ...options, isStopping: () => isStopping });
  const server = serverOf(dispatch);
  const port = await listen(server, options.host, options.port);
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    port,
    stop: () => {
      isStopping = true;
      return close(server, options.drainTimeoutMs ?? drainTimeoutMs);
    },
  };
}

/** Express carries the app; declared routes are found in one lookup instead of by trying its layers one after the other. */
function serverOf(dispatch: Dispatch): Server {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(dispatch);
  const made = {
    IncomingMessage: bornWith(IncomingMessage, app.request),
    ServerResponse: bornWith(ServerResponse, app.response),
  };
  return createServer({ ...connectionLimits, ...made }, app).on('clientError', answerClientError);
}

export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Stops accepting, lets running requests finish, and cuts what is left at the limit. */
export function close(server: Server, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** What cannot even be read as HTTP is answered in the usual form, on a connection that is then closed. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { text } = errorEnvelope(
    new AppError('VALIDATION_ERROR', { validationErrors: [sentenceOf(error.code)] }),
    requestIdOf(undefined),
  );
  const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json; charset=utf-8', 'Connection: close'];
  socket.end(`${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

function sentenceOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'the headers are too large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'the request did not arrive in time';
  return 'the request is not valid HTTP';
}
