import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { familyOfPath } from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import { errorEnvelope } from './envelopes.js';
import { requestIdOf } from './request-id.js';

type Exchange = {
  readonly request: Parameters<RequestListener>[0];
  readonly response: Parameters<RequestListener>[1];
};

/** A connection with a request that is being handled. */
type BusyConnection = {
  readonly current: Exchange;
  /** Pipelined requests behind it, in the order of their arrival. */
  readonly waiting: Exchange[];
  /** Once too many requests wait, none of them is handled: the first gets 429, and the connection is closed. */
  isRefused: boolean;
};

/** The connections of a server. */
export type Connections = {
  /** Whether a complete request of this connection is being handled, so that a fault of the connection concerns a later one. */
  readonly isHandling: (socket: Socket) => boolean;
  /** From now on every response has `Connection: close`. */
  readonly startClosing: () => void;
  /** Closes connections without any request. `server.close()` closes idle ones, but Node does not count these as idle. */
  readonly closeUnused: () => void;
  /** Connections with a request that is being handled. */
  readonly busyCount: () => number;
};

/** Pipelined requests that may wait for the response to an earlier one. Common clients send none. */
export const waitingRequestsMax = 16;

/**
 * Handles the requests of a connection one after the other: the next one starts when the response before it was sent, after other
 * connections had their turn. Node alone emits 'request' for every pipelined request at once, so that a single connection could
 * occupy the process. A request that was not started when its connection closes is never started.
 */
export function handleOneRequestAtATime(server: Server, handle: RequestListener): Connections {
  const busy = new Map<Socket, BusyConnection>();
  const unused = new Set<Socket>();
  let isClosing = false;

  const start = (socket: Socket, current: Exchange, waiting: Exchange[]): void => {
    const connection: BusyConnection = { current, waiting, isRefused: false };
    busy.set(socket, connection);
    if (isClosing) current.response.setHeader('Connection', 'close');
    current.response.once('close', () => {
      if (waiting.length === 0) busy.delete(socket);
      else setImmediate(startNext, socket, connection);
    });
    handle(current.request, current.response);
  };

  const startNext = (socket: Socket, { waiting, isRefused }: BusyConnection): void => {
    const next = waiting.shift();
    if (next === undefined || !socket.writable) busy.delete(socket);
    else if (isRefused) {
      socket.once('close', () => busy.delete(socket));
      refuse(next);
    } else start(socket, next, waiting);
  };

  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    unused.delete(socket);
    const connection = busy.get(socket);
    if (connection === undefined) start(socket, { request, response }, []);
    else if (connection.waiting.length < waitingRequestsMax) connection.waiting.push({ request, response });
    else {
      connection.isRefused = true;
      // Node resumes the socket after each request that it parses, so it is paused after the last one of this chunk.
      process.nextTick(() => socket.pause());
    }
  });
  return {
    isHandling: (socket) => busy.get(socket)?.current.request.complete === true,
    startClosing: () => {
      isClosing = true;
      for (const { current } of busy.values())
        if (!current.response.headersSent) current.response.setHeader('Connection', 'close');
    },
    closeUnused: () => unused.forEach((socket) => socket.destroy()),
    busyCount: () => busy.size,
  };
}

function refuse({ request, response }: Exchange): void {
  const requestId = requestIdOf(request.headers['x-request-id']);
  const details = { limit: waitingRequestsMax, counted: 'requests waiting on one connection' };
  const family = familyOfPath(request.url ?? '');
  const { status, text } = errorEnvelope(new AppError('RATE_LIMITED', details), requestId, { family });
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Retry-After': '1', 'X-Request-ID': requestId };
  response.writeHead(status, { ...headers, Connection: 'close' }).end(text);
}
