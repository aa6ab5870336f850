import { randomInt } from 'node:crypto';
import type { SocketConstructorOpts } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type ChannelModel, type SocketOptions } from 'amqplib';
import type { Log } from '@holdfast/kernel/context';
import { describeError } from '../failure-action.js';
import { endsWithin, withTimeLimit } from '../time-limit.js';

export type ConnectionManagerOptions = {
  readonly url: string;
  /** What the broker's own tools show. */
  readonly name: string;
  readonly log: Log;
  /** How long the very first connection may take, waiting for the broker to come up included. */
  readonly connectTimeoutMs: number;
  /** Makes a fresh connection usable. The link counts as up once it has resolved. */
  readonly setUp: (connection: Connection) => Promise<void>;
  /** Called each time the link has come up. */
  readonly onUp?: (connection: Connection) => void;
};

export type Connection = {
  readonly model: ChannelModel;
  /**
   * Ends a connection that has misbehaved or is no longer needed, without waiting for the broker; its link then builds everything
   * anew. Does nothing to a connection that has ended.
   */
  readonly abort: (reason: string) => void;
};

/** One connection that comes back by itself. */
export type ConnectionManager = {
  /** Undefined while there is none. */
  readonly connection: () => Connection | undefined;
  readonly close: () => Promise<void>;
};

const attemptTimeoutMs = 5_000;
const setUpTimeoutMs = 30_000;
const closeTimeoutMs = 2_000;
/** A connection that breaks sooner than this does not count as a success: the pauses before the next ones keep growing. */
const stableAfterMs = 5_000;
const backoffMs = { first: 100, max: 5_000 } as const;
const heartbeatSeconds = 10;
const doublingsMax = 10;
/** Waiting does not help: the broker is there and says no. */
const refusal = /ACCESS[-_]REFUSED|PRECONDITION[-_]FAILED/;

type State = {
  /** Also while it is being set up, so that closing finds it. */
  connection: Connection | undefined;
  isUp: boolean;
  lastError: unknown;
  readonly closing: AbortController;
};
type FirstConnection = { readonly resolve: () => void; readonly reject: (error: unknown) => void };

/** Resolves when the link is up for the first time; from then on it keeps itself up until it is closed. */
export async function openConnectionManager(options: ConnectionManagerOptions): Promise<ConnectionManager> {
  const state: State = { connection: undefined, isUp: false, lastError: undefined, closing: new AbortController() };
  let keeping: Promise<void> = Promise.resolve();
  const first = new Promise<void>((resolve, reject) => {
    keeping = keepConnected(options, state, { resolve, reject });
  });
  const close = async (): Promise<void> => {
    state.closing.abort();
    if (state.connection !== undefined) await closeConnection(state.connection);
    await endsWithin(keeping, closeTimeoutMs);
  };
  try {
    await withTimeLimit(first, options.connectTimeoutMs, () => new Error(`no success within ${options.connectTimeoutMs} ms`));
  } catch (error) {
    await close();
    const reasons = new Set([error, state.lastError].filter((part) => part !== undefined).map(describeError));
    throw new Error(`RabbitMQ at ${hostOf(options.url)} cannot be used: ${[...reasons].join('; ')}`, { cause: error });
  }
  return { connection: () => (state.isUp ? state.connection : undefined), close };
}

async function keepConnected(options: ConnectionManagerOptions, state: State, first: FirstConnection): Promise<void> {
  const { signal } = state.closing;
  let failures = 0;
  while (!isClosing(state)) {
    try {
      const livedMs = await connectOnce(options, state, first.resolve);
      if (livedMs >= stableAfterMs) failures = 0;
    } catch (error) {
      state.lastError = error;
      if (refusal.test(describeError(error))) first.reject(error);
      if (!isClosing(state))
        options.log.warn({ err: error, connection: options.name, failures }, 'could not connect to RabbitMQ');
    }
    failures += 1;
    await pause(backoffOf(failures), undefined, { signal }).catch(() => undefined);
  }
}

/** From one connection's beginning to its end. Returns how long it was up. */
async function connectOnce(options: ConnectionManagerOptions, state: State, onFirstUp: () => void): Promise<number> {
  const connection = await openConnection(options);
  const end = watchEnd(connection.model);
  try {
    if (isClosing(state)) return 0;
    state.connection = connection;
    await withTimeLimit(
      options.setUp(connection),
      setUpTimeoutMs,
      () => new Error(`set-up took longer than ${setUpTimeoutMs} ms`),
    );
    state.isUp = true;
    const connectedSince = performance.now();
    options.log.info({ connection: options.name }, 'connected to RabbitMQ');
    options.onUp?.(connection);
    onFirstUp();
    const error = await end;
    if (!isClosing(state)) options.log.warn({ err: error, connection: options.name }, 'connection to RabbitMQ lost');
    return performance.now() - connectedSince;
  } finally {
    state.isUp = false;
    state.connection = undefined;
    connection.abort('it is no longer needed');
  }
}

async function openConnection({ url, name }: ConnectionManagerOptions): Promise<Connection> {
  const aborting = new AbortController();
  const socketOptions: SocketOptions & Pick<SocketConstructorOpts, 'signal'> = {
    noDelay: true, // a confirm takes 44 ms without it
    keepAlive: true,
    timeout: attemptTimeoutMs,
    clientProperties: { connection_name: name },
    signal: aborting.signal,
  };
  const model = await connect(withHeartbeat(url), socketOptions);
  return { model, abort: (reason) => aborting.abort(new Error(reason)) };
}

function isClosing(state: State): boolean {
  return state.closing.signal.aborted;
}

/** Resolves with the reason when the connection has ended, whoever ended it. */
function watchEnd(connection: ChannelModel): Promise<unknown> {
  let reason: unknown;
  connection.on('error', (error) => {
    reason = error;
  });
  return new Promise((resolve) => {
    connection.on('close', (error) => resolve(reason ?? error));
  });
}

async function closeConnection({ model, abort }: Connection): Promise<void> {
  if (!(await endsWithin(model.close(), closeTimeoutMs))) abort('the broker did not confirm the close');
}

/** Half to the whole of a doubling delay, so that processes that lost the same broker do not come back together. */
function backoffOf(failures: number): number {
  const full = Math.min(backoffMs.max, backoffMs.first * 2 ** Math.min(failures, doublingsMax));
  return randomInt(Math.ceil(full / 2), full + 1);
}

function withHeartbeat(url: string): string {
  const parts = new URL(url);
  if (!parts.searchParams.has('heartbeat')) parts.searchParams.set('heartbeat', heartbeatSeconds.toString());
  return parts.href;
}

/** Without the login. */
function hostOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname === '/' ? '' : pathname}`;
}
