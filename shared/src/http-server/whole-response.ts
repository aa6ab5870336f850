import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../context/index.js';
import { connectionLimits } from './connection-limits.js';
import type { ServedResponse } from './served.js';

/** The answer to one request, and what its connection tells it. */
export type OpenResponse = {
  readonly response: ServedResponse;
  /** The receiver has time again. */
  readonly onDrain: () => void;
  readonly onClosed: () => void;
};

type Listeners = Partial<Record<'close' | 'drain', () => void>>;
type State = { -readonly [Key in keyof ServedResponse]: ServedResponse[Key] };

/** Up to this much a body goes out as one text with its head, which is one write instead of two pieces. */
const inlineBytesMax = 16 * 1024;
const withoutBody: ReadonlySet<number> = new Set([204, 304]);
const lastLines = 'Connection: close\r\n\r\n';
const keptLines = `Connection: keep-alive\r\nKeep-Alive: timeout=${connectionLimits.keepAliveTimeout / 1_000}\r\n\r\n`;

type Options = {
  readonly socket: Socket;
  /** The line that tells the time of an answer. */
  readonly dateLine: () => string;
  /** Hears whether the answer said that it is the last one. */
  readonly onFinished: (isLast: boolean) => void;
};

/** Writes an answer straight to its connection. */
export function openWholeResponse({ socket, dateLine, onFinished }: Options): OpenResponse {
  const listeners: Listeners = {};
  let head: Head | undefined;
  let isHeadOut = false;

  const takeHead = (framing: string): string => {
    if (head === undefined) throw new Error('an answer begins with its head');
    if (isHeadOut) return '';
    isHeadOut = true;
    return `${head.text}${head.isMeasured ? '' : framing}${dateLine()}${head.isLast ? lastLines : keptLines}`;
  };

  const response: State = {
    destroyed: socket.destroyed,
    headersSent: false,
    writableEnded: false,
    writableFinished: false,
    writeHead: (status, headers) => {
      head = headOf(status, headers);
      response.headersSent = true;
    },
    flushHeaders: () => {
      const text = takeHead(chunkedLine);
      if (text !== '') socket.write(text, 'latin1');
    },
    write: (piece) => {
      response.flushHeaders();
      if (piece.length === 0) return true;
      return head?.isMeasured === true ? socket.write(piece) : writeChunk(socket, piece);
    },
    end: (last = '') => {
      if (response.writableEnded) return;
      if (isHeadOut && head?.isMeasured === false) endChunks(socket, last);
      else writeLast(socket, isHeadOut ? '' : takeHead(lengthLine(last)), last);
      response.writableEnded = response.writableFinished = true;
      listeners.close?.();
      onFinished(head?.isLast ?? true);
    },
    once: (event, listener) => {
      const earlier = listeners[event];
      listeners[event] = earlier === undefined ? listener : () => [earlier, listener].forEach((one) => one());
    },
    destroy: () => socket.destroy(),
  };
  const onDrain = (): void => {
    const listener = listeners.drain;
    delete listeners.drain;
    listener?.();
  };
  const onClosed = (): void => {
    response.destroyed = true;
    listeners.close?.();
  };
  return { response, onDrain, onClosed };
}

function writeLast(socket: Socket, head: string, last: Buffer | string): void {
  const length = typeof last === 'string' ? Buffer.byteLength(last) : last.length;
  // What is as long in bytes as in letters is plain ASCII.
  if (typeof last === 'string' && length === last.length) socket.write(head + last, 'latin1');
  else if (typeof last !== 'string' && length <= inlineBytesMax) socket.write(head + last.toString('latin1'), 'latin1');
  else {
    socket.cork();
    socket.write(head, 'latin1');
    socket.write(last);
    socket.uncork();
  }
}

const chunkedLine = 'Transfer-Encoding: chunked\r\n';

function writeChunk(socket: Socket, piece: Buffer): boolean {
  socket.cork();
  socket.write(`${piece.length.toString(16)}\r\n`, 'latin1');
  socket.write(piece);
  const isFlowing = socket.write('\r\n', 'latin1');
  socket.uncork();
  return isFlowing;
}

function endChunks(socket: Socket, last: Buffer | string): void {
  const piece = Buffer.from(last);
  if (piece.length > 0) writeChunk(socket, piece);
  socket.write('0\r\n\r\n', 'latin1');
}

function lengthLine(last: Buffer | string): string {
  return `Content-Length: ${Buffer.byteLength(last)}\r\n`;
}

type Head = {
  readonly text: string;
  /** Its own headers or its status tell how long it is. */
  readonly isMeasured: boolean;
  readonly isLast: boolean;
};

const unsafeInHeader = /[^\t -~\x80-\xff]/;
const lengthName = 'content-length';
const connectionName = 'connection';

function headOf(status: number, headers: readonly string[]): Head {
  // A line break within a name or a value would let it write headers of its own.
  if (unsafeInHeader.test(headers.join(''))) throw new Error('a header of the answer cannot be written as HTTP');
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`;
  let isMeasured = withoutBody.has(status);
  let isLast = false;
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? '';
    const value = headers[index + 1] ?? '';
    if (name.length === connectionName.length && name.toLowerCase() === connectionName) isLast = value === 'close';
    else {
      if (name.length === lengthName.length && name.toLowerCase() === lengthName) isMeasured = true;
      text += `${name}: ${value}\r\n`;
    }
  }
  return { text, isMeasured, isLast };
}

/** Its text is made once in a second. */
export function dateLines({ epochMs }: Pick<Clock, 'epochMs'>): () => string {
  let lastSecond = -1;
  let line = '';
  return () => {
    const second = Math.floor(epochMs() / 1_000);
    if (second !== lastSecond) [lastSecond, line] = [second, `Date: ${new Date(second * 1_000).toUTCString()}\r\n`];
    return line;
  };
}
