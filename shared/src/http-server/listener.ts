import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../errors/index.js';
import { errorEnvelope } from './envelopes.js';
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
const drainTimeoutMsDefault = 8_000;

export type ListenerOptions = {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly drainTimeoutMs?: number;
};

export type Listener = { readonly url: string; readonly port: number; readonly stop: () => Promise<void> };

/** Opens the port, and knows how to close it without breaking anything off. */
export async function startListener(server: Server, options: ListenerOptions): Promise<Listener> {
  const { host, drainTimeoutMs = drainTimeoutMsDefault } = options;
  const dropSilentSockets = trackSilentSockets(server);
  server.on('clientError', answerClientError);
  const port = await listen(server, options);
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      server.closeIdleConnections();
      dropSilentSockets();
    });
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port, stop };
}

function listen(server: Server, { host, port }: ListenerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Connections that have not asked anything yet are not idle in Node's eyes, and would hold up the end. */
function trackSilentSockets(server: Server): () => void {
  const silent = new Set<Socket>();
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.prependListener('request', (request) => silent.delete(request.socket));
  return () => {
    for (const socket of silent) socket.destroy();
  };
}

/** What cannot even be read as HTTP is answered in the usual form, on a connection that is then closed. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const refusal = new AppError('VALIDATION_ERROR', { validationErrors: [sentenceOf(error.code)] });
  const { text } = errorEnvelope(refusal, requestIdOf(undefined));
  const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json; charset=utf-8', 'Connection: close'];
  socket.end(`${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

function sentenceOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'the headers are too large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'the request did not arrive in time';
  return 'the request is not valid HTTP';
}
