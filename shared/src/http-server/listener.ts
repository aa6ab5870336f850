import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../context/index.js';
import { AppError } from '../errors/index.js';
import { connectionLimits } from './connection-limits.js';
import { errorEnvelope } from './envelopes.js';
import { requestIdOf } from './request-id.js';
import type { Serve, ServedRequest, ServedResponse } from './served.js';

/** Connections that wait to be taken: all readers of the event stream may come back at once. The system may allow fewer. */
const waitingConnectionsMax = 4_096;

/** Requests that run when the server is told to stop have this long to finish. */
const drainTimeoutMsDefault = 8_000;

export type ListenerOptions = {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly drainTimeoutMs?: number;
};

export type Listener = { readonly url: string; readonly port: number; readonly stop: () => Promise<void> };

type Connections = { readonly closeIdle: () => void; readonly closeAll: () => void };

type ServingOptions = ListenerOptions & {
  readonly serve: Serve;
  /** Whether this is answered with a stream. */
  readonly isStream: (method: string, url: string) => boolean;
  readonly log: Log;
};

/** Serves every request that comes in at a port. */
export function startServing(options: ServingOptions): Promise<Listener> {
  const serve = (request: ServedRequest, response: ServedResponse): void => {
    options.serve(request, response).catch((error: unknown) => {
      options.log.error({ error }, 'a request was lost');
      response.destroy();
    });
  };
  const server = createServer(connectionLimits, serve);
  const dropSilentSockets = trackSilentSockets(server);
  server.on('clientError', answerClientError);
  const closeIdle = (): void => {
    server.closeIdleConnections();
    dropSilentSockets();
  };
  const closeAll = (): void => server.closeAllConnections();
  return startListener(server, options, { closeIdle, closeAll });
}

/** Opens the port, and knows how to close it without breaking anything off. */
async function startListener(server: Server, options: ListenerOptions, connections: Connections): Promise<Listener> {
  const { host, drainTimeoutMs = drainTimeoutMsDefault } = options;
  const port = await listen(server, options);
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(connections.closeAll, drainTimeoutMs);
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      connections.closeIdle();
    });
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port, stop };
}

function listen(server: Server, { host, port }: ListenerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: waitingConnectionsMax }, () => {
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
