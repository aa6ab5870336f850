import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '../context/index.js';
import { connectionLimits } from './connection-limits.js';
import type { ServedResponse, WholeRequest } from './served.js';
import { findWholeRequest } from './whole-request.js';
import { dateLines, openWholeResponse, type OpenResponse } from './whole-response.js';

type Options = {
  readonly server: Server;
  readonly serve: (request: WholeRequest, response: ServedResponse) => void;
  /** Whether this is answered with a stream, which is left to Node. */
  readonly isStream: (method: string, url: string) => boolean;
};

/** The connections that are served here, for whoever stops the server. */
export type WholeConnections = {
  /** Closes those that are asking nothing, and the others with their next answer. */
  readonly closeIdle: () => void;
  readonly closeAll: () => void;
};

type Connection = {
  readonly socket: Socket;
  /** The answer that is owed. */
  open: OpenResponse | undefined;
  /** Came while an answer was owed. */
  unread: Buffer;
};

type Door = Options & {
  readonly connections: Set<Connection>;
  readonly dateLine: () => string;
  /** Serves a connection the way Node does. */
  readonly passOn: (socket: Socket) => void;
  isClosing: boolean;
};

/** What may gather while an answer is owed; then the sender has to wait. */
const unreadBytesMax = 64 * 1024;
const nothing = Buffer.alloc(0);

/**
 * Takes over the connections of a server. Requests that are whole and plain are read and answered here, at half of what Node's
 * streams and events around them cost. With the first bytes that are anything else the connection is given to Node for good. See
 * docs/adr/0017-plain-requests-are-read-in-one-piece.md.
 */
export function serveWholeRequests(options: Options): WholeConnections {
  const { server } = options;
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  const door: Door = {
    ...options,
    connections: new Set(),
    dateLine: dateLines(systemClock()),
    passOn: (socket) => listeners.forEach((listener) => void Reflect.apply(listener, server, [socket])),
    isClosing: false,
  };
  server.on('connection', (socket: Socket) => accept(door, socket));
  return {
    closeIdle: () => {
      door.isClosing = true;
      for (const { socket, open } of door.connections) if (open === undefined) socket.destroy();
    },
    closeAll: () => {
      for (const { socket } of door.connections) socket.destroy();
    },
  };
}

function accept(door: Door, socket: Socket): void {
  const connection: Connection = { socket, open: undefined, unread: nothing };
  const listeners = {
    data: (bytes: Buffer) => {
      if (connection.open === undefined && !socket.writableNeedDrain) take(bytes);
      else keep(connection, bytes);
    },
    end: () => void socket.end(),
    error: () => void socket.destroy(),
    timeout: () => {
      if (connection.open === undefined) socket.destroy();
    },
    drain: () => {
      if (connection.open === undefined) goOn();
      else connection.open.onDrain();
    },
    close: () => {
      door.connections.delete(connection);
      connection.open?.onClosed();
    },
  };

  const take = (bytes: Buffer): void => {
    const found = findWholeRequest(bytes);
    if (found === undefined || door.isStream(found.method, found.url)) {
      leave(door, connection, listeners);
      giveToNode(door, socket, bytes);
      return;
    }
    if (found.bytes < bytes.length) connection.unread = bytes.subarray(found.bytes);
    if (socket.timeout !== keepAliveTimeout) socket.setTimeout(keepAliveTimeout);
    const { method, url, headers, rawHeaders, body } = found;
    const request: WholeRequest = { method, url, headers, rawHeaders, complete: true, socket, body };
    connection.open = openWholeResponse({ socket, dateLine: door.dateLine, onFinished });
    door.serve(request, connection.open.response);
  };
  const onFinished = (isLast: boolean): void => {
    connection.open = undefined;
    if (isLast || door.isClosing) socket.destroySoon();
    else goOn();
  };
  const goOn = (): void => {
    const { unread } = connection;
    if (unread.length === 0 || socket.writableNeedDrain || socket.readableEnded) return;
    connection.unread = nothing;
    if (socket.isPaused()) socket.resume();
    take(unread);
  };

  door.connections.add(connection);
  socket.setTimeout(headersTimeout);
  for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
}

const { headersTimeout, keepAliveTimeout } = connectionLimits;

function keep(connection: Connection, bytes: Buffer): void {
  connection.unread = Buffer.concat([connection.unread, bytes]);
  if (connection.unread.length > unreadBytesMax) connection.socket.pause();
}

type SocketListeners = Readonly<Record<string, (bytes: Buffer) => void>>;

function leave(door: Door, connection: Connection, listeners: SocketListeners): void {
  const { socket } = connection;
  for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
  socket.setTimeout(0);
  door.connections.delete(connection);
}

/** As if nobody had read these bytes. */
function giveToNode({ passOn }: Door, socket: Socket, bytes: Buffer): void {
  socket.pause();
  socket.unshift(bytes);
  passOn(socket);
  socket.resume();
}
