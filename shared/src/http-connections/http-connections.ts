import type { IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { createAnswerReader, type AnswerReader } from './answer-reader.js';

export type CarriedRequest = {
  readonly method: string;
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: Buffer | null;
};

export type AnswerController = {
  readonly abort: (reason: Error) => void;
  readonly pause: () => void;
  readonly resume: () => void;
};

/** Hears of one answer, in this order; an error is the last that is heard. */
export type AnswerHandler = {
  readonly onRequestStart: (controller: AnswerController) => void;
  readonly onResponseStart: (controller: AnswerController, status: number, headers: IncomingHttpHeaders) => void;
  readonly onResponseData: (controller: AnswerController, chunk: Buffer) => void;
  readonly onResponseEnd: (controller: AnswerController) => void;
  readonly onResponseError: (controller: AnswerController, error: Error) => void;
};

/** Carries requests to one other side. */
export type Carrier = {
  readonly dispatch: (request: CarriedRequest, handler: AnswerHandler) => unknown;
  /** Requests under way are finished first. */
  readonly close: () => Promise<void>;
};

export type ConnectionOptions = {
  readonly url: URL;
  readonly connectionsMax: number;
  readonly connectTimeoutMs: number;
  /** Until an answer begins, and between two pieces of it. */
  readonly timeoutMs: number;
};

/** The other side kept its caller waiting for too long. */
export class SilenceError extends Error {
  constructor() {
    super('the other side did not answer in time');
    this.name = 'SilenceError';
  }
}

type Job = {
  readonly method: string;
  readonly head: string;
  readonly body: Buffer | null;
  readonly handler: AnswerHandler;
  readonly controller: AnswerController;
  connection: Connection | undefined;
  isOver: boolean;
};

type Connection = { readonly socket: Socket; readonly reader: AnswerReader; job: Job | undefined; idleSince: number };

type Pool = ConnectionOptions & {
  /** The one used last is used next, so that those that are not needed fall silent. */
  readonly idle: Connection[];
  readonly waiting: Job[];
  /** All connections read into it, one after the other. */
  readonly readBuffer: Buffer;
  open: number;
  whenClosed: (() => void) | undefined;
};

/** Shorter than services keep a silent connection, so that none is used that is about to be closed. */
const idleMsMax = 60_000;
/** Up to this much a body goes out as one text with its head, which is one write instead of two pieces. */
const inlineBytesMax = 16 * 1024;

/** What one read takes at most. */
const readBytesMax = 64 * 1024;

/** Connections that stay open, each with one request at a time. A request that was sent is never sent again by itself. */
export function createHttpConnections(options: ConnectionOptions): Carrier {
  const pool: Pool = {
    ...options,
    idle: [],
    waiting: [],
    readBuffer: Buffer.allocUnsafeSlow(readBytesMax),
    open: 0,
    whenClosed: undefined,
  };
  return {
    dispatch: (request, handler) => {
      const job = newJob(request, handler, options.url);
      handler.onRequestStart(job.controller);
      if (job.isOver) return;
      if (!isSafe(request)) fail(job, new Error('the request cannot be written as HTTP'));
      else if (pool.whenClosed !== undefined) fail(job, new Error('the connections are being closed'));
      else assign(pool, job);
    },
    close: () =>
      new Promise((resolve) => {
        pool.whenClosed = resolve;
        for (const { socket } of pool.idle) socket.destroy();
        if (pool.open === 0) resolve();
      }),
  };
}

function newJob(request: CarriedRequest, handler: AnswerHandler, { host }: URL): Job {
  const controller: AnswerController = {
    abort: (reason) => {
      job.connection?.socket.destroy();
      fail(job, reason);
    },
    pause: () => job.connection?.socket.pause(),
    resume: () => job.connection?.socket.resume(),
  };
  const { method, body } = request;
  const job: Job = { method, head: headOf(request, host), body, handler, controller, connection: undefined, isOver: false };
  return job;
}

const unsafeInPath = /[^!-~\x80-\xff]/;
const unsafeInHeader = /[^\t -~\x80-\xff]/;

/** The door has read all of it as HTTP before; whatever ends a line all the same would be a second request. */
function isSafe({ path, headers }: CarriedRequest): boolean {
  return !unsafeInPath.test(path) && !headers.some((text) => unsafeInHeader.test(text));
}

/** Without a body only these say nothing of its length. */
const bodiless = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

function headOf({ method, path, headers, body }: CarriedRequest, host: string): string {
  let head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\n`;
  for (let index = 0; index + 1 < headers.length; index += 2) head += `${headers[index] ?? ''}: ${headers[index + 1] ?? ''}\r\n`;
  if (body !== null || !bodiless.has(method)) head += `Content-Length: ${body?.length ?? 0}\r\n`;
  return `${head}\r\n`;
}

function fail(job: Job, error: Error): void {
  if (job.isOver) return;
  job.isOver = true;
  job.connection = undefined;
  job.handler.onResponseError(job.controller, error);
}

function assign(pool: Pool, job: Job): void {
  const connection = takeIdle(pool.idle);
  if (connection !== undefined) transmit(connection, job);
  else if (pool.open < pool.connectionsMax) openConnection(pool, job);
  else pool.waiting.push(job);
}

function takeIdle(idle: Connection[]): Connection | undefined {
  for (let found = idle.pop(); found !== undefined; found = idle.pop()) {
    if (!found.socket.destroyed && performance.now() - found.idleSince < idleMsMax) return found;
    found.socket.destroy();
  }
  return undefined;
}

function openConnection(pool: Pool, first: Job): void {
  const { url, connectTimeoutMs, timeoutMs } = pool;
  pool.open += 1;
  const socket = connect({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 80 : Number(url.port),
    noDelay: true,
    onread: {
      buffer: pool.readBuffer,
      callback: (bytes, buffer) => {
        // The next read writes over it, of whichever connection that is.
        const chunk = Buffer.from(buffer.subarray(0, bytes));
        attempt(connection, () => reader.read(chunk));
        return true;
      },
    },
  });
  const reader = createAnswerReader({
    onHead: (status, headers) => {
      const { job } = connection;
      if (job?.isOver === false) job.handler.onResponseStart(job.controller, status, headers);
    },
    onData: (chunk) => {
      const { job } = connection;
      if (job?.isOver === false) job.handler.onResponseData(job.controller, chunk);
    },
    onEnd: (isReusable) => finish(pool, connection, isReusable),
  });
  const connection: Connection = { socket, reader, job: first, idleSince: 0 };
  first.connection = connection;
  socket.setTimeout(connectTimeoutMs);
  socket.on('connect', () => {
    socket.setTimeout(timeoutMs);
    if (connection.job === undefined) socket.destroy();
    else transmit(connection, connection.job);
  });
  socket.on('end', () => attempt(connection, reader.end));
  socket.on('timeout', () => onSilence(connection));
  socket.on('error', (error) => breakOff(connection, error));
  socket.on('close', () => onClosed(pool, connection));
}

/** Whatever is wrong with an answer is the end of its connection: nobody knows where the next one would begin. */
function attempt(connection: Connection, step: () => void): void {
  try {
    step();
  } catch (error) {
    breakOff(connection, error instanceof Error ? error : new Error(String(error)));
  }
}

function breakOff(connection: Connection, error: Error): void {
  const { job, socket } = connection;
  connection.job = undefined;
  socket.destroy();
  if (job !== undefined) fail(job, error);
}

/** A connection that is paused waits for the receiver, which has limits of its own. */
function onSilence(connection: Connection): void {
  const { job, socket } = connection;
  if (job === undefined) socket.destroy();
  else if (socket.connecting) breakOff(connection, new Error('the other side could not be reached in time'));
  else if (!socket.isPaused()) breakOff(connection, new SilenceError());
}

function transmit(connection: Connection, job: Job): void {
  const { socket, reader } = connection;
  const { method, head, body } = job;
  connection.job = job;
  job.connection = connection;
  reader.begin(method);
  if (body === null || body.length <= inlineBytesMax) {
    socket.write(body === null ? head : head + body.toString('latin1'), 'latin1');
    return;
  }
  socket.cork();
  socket.write(head, 'latin1');
  socket.write(body);
  socket.uncork();
}

function finish(pool: Pool, connection: Connection, isReusable: boolean): void {
  const { job, socket } = connection;
  connection.job = undefined;
  if (job?.isOver === false) {
    job.isOver = true;
    job.connection = undefined;
    job.handler.onResponseEnd(job.controller);
  }
  if (!isReusable || pool.whenClosed !== undefined) {
    socket.destroy();
    return;
  }
  if (socket.isPaused()) socket.resume();
  const next = nextWaiting(pool);
  if (next !== undefined) {
    transmit(connection, next);
    return;
  }
  connection.idleSince = performance.now();
  pool.idle.push(connection);
}

function nextWaiting({ waiting }: Pool): Job | undefined {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) if (!next.isOver) return next;
  return undefined;
}

function onClosed(pool: Pool, connection: Connection): void {
  pool.open -= 1;
  const at = pool.idle.indexOf(connection);
  if (at !== -1) pool.idle.splice(at, 1);
  breakOff(connection, new Error('the other side closed the connection'));
  const next = nextWaiting(pool);
  if (next !== undefined) openConnection(pool, next);
  else if (pool.open === 0) pool.whenClosed?.();
}
