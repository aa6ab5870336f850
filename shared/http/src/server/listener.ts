import { STATUS_CODES, createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import type { Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { connectionLimits } from './connection-limits.js';
import { errorEnvelope } from './envelopes.js';
import { messageClassesOf } from './express-app.js';
import { handleOneRequestAtATime } from './one-request-at-a-time.js';
import { requestIdOf } from './request-id.js';

/** Large, because all clients of the event stream may reconnect at once. The operating system may allow fewer. */
const backlogMax = 4_096;

const drainTimeoutMsDefault = 8_000;

export type ListenerOptions = {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** How long running requests may take to finish when the server stops; then their connections are cut. */
  readonly drainTimeoutMs?: number;
  /** Once it is aborted, every response has `Connection: close`, so that clients open their next connection elsewhere. */
  readonly stopAnnounced?: AbortSignal;
  readonly log?: Pick<Log, 'warn'>;
};

export type Listener = { readonly url: string; readonly port: number; readonly stop: () => Promise<void> };

/** Serves an app on a port. `stop` waits for running requests, but not for idle connections. */
export async function startListener(app: Express, options: ListenerOptions): Promise<Listener> {
  const { host, stopAnnounced, log, drainTimeoutMs = drainTimeoutMsDefault } = options;
  const server = createServer({ ...connectionLimits, ...messageClassesOf(app) });
  // By default Node silently drops headers beyond 2,000. maxHeaderSize limits their size, and checkRequest their number.
  server.maxHeadersCount = 0;
  const { isHandling, startClosing, closeUnused, busyCount } = handleOneRequestAtATime(server, app);
  stopAnnounced?.addEventListener('abort', startClosing, { once: true });
  server.on('clientError', (error, socket: Socket) => refuseInvalidHttp(error, socket, isHandling(socket)));
  const port = await listen(server, options);
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        log?.warn({ requests: busyCount(), drainTimeoutMs }, 'requests were cut off, because they did not end in time');
        server.closeAllConnections();
      }, drainTimeoutMs);
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      startClosing();
      closeUnused();
    });
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port, stop };
}

function listen(server: Server, { host, port }: ListenerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: backlogMax }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/**
 * Responds to invalid HTTP with the usual error envelope and closes the connection. While an earlier request of the connection is
 * being handled, it is closed without a response: the client would take it for the response to that request.
 */
function refuseInvalidHttp(error: NodeJS.ErrnoException, socket: Socket, isHandling: boolean): void {
  if (!socket.writable || error.code === 'ECONNRESET' || isHandling) {
    socket.destroy();
    return;
  }
  const { status, text } = errorEnvelope(toAppError(error.code), requestIdOf(undefined));
  const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`;
  const head = [statusLine, 'Content-Type: application/json; charset=utf-8', 'Connection: close'];
  socket.end(`${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

function toAppError(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('HEADERS_TOO_LARGE');
  const isTimeout = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const fault = isTimeout ? 'the request did not arrive in time' : 'the request is not valid HTTP';
  return new AppError('VALIDATION_ERROR', { validationErrors: [fault] });
}
