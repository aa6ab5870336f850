import type { SocketConstructorOpts } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type ChannelModel, type SocketOptions } from 'amqplib';
import { backoffMs, settlesWithin, withTimeout } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import { describeError } from '../failure-action.js';
import { assertBrokerFit, BrokerUnfit } from './broker-requirements.js';
import { tlsOptions } from './tls-options.js';

export type ConnectionManagerOptions = {
  readonly url: string;
  /** The connection name in the tools of RabbitMQ. */
  readonly name: string;
  readonly log: Log;
  /** Time limit of the first connection, including the wait for a broker that is starting. */
  readonly connectTimeoutMs: number;
  /** Prepares a new connection. It counts as connected once this has resolved. */
  readonly setUp: (connection: Connection) => Promise<void>;
  /** Called after each successful connect. */
  readonly onUp?: (connection: Connection) => void;
};

export type Connection = {
  readonly model: ChannelModel;
  /**
   * Destroys the socket without waiting for the broker; the connection manager then reconnects. Does nothing to a connection that
   * is closed.
   */
  readonly abort: (reason: string) => void;
};

/** One connection that reconnects by itself. */
export type ConnectionManager = {
  /** Undefined while disconnected. */
  readonly connection: () => Connection | undefined;
  readonly close: () => Promise<void>;
};

const attemptTimeoutMs = 5_000;
const setUpTimeoutMs = 30_000;
const closeTimeoutMs = 2_000;
/** A connection that is lost sooner than this counts as a failure, so that the backoff keeps growing. */
const stableAfterMs = 5_000;
const reconnects = { firstDelayMs: 200, delayMsMax: 5_000 } as const;
const heartbeatSeconds = 10;
/** Errors that no retry resolves: wrong credentials, a queue that exists with other arguments, a certificate that is not trusted. */
const refusal = /ACCESS[-_]REFUSED|PRECONDITION[-_]FAILED|certificate|Hostname\/IP does not match/;

type State = {
  /** Set before `setUp` has resolved, so that `close` can close it. */
  connection: Connection | undefined;
  isUp: boolean;
  lastError: unknown;
  readonly closing: AbortController;
};
type FirstConnection = { readonly resolve: () => void; readonly reject: (error: unknown) => void };

/** Resolves after the first successful connect; then it reconnects until it is closed. */
export async function openConnectionManager(options: ConnectionManagerOptions): Promise<ConnectionManager> {
  const state: State = { connection: undefined, isUp: false, lastError: undefined, closing: new AbortController() };
  let keeping: Promise<void> = Promise.resolve();
  const first = new Promise<void>((resolve, reject) => {
    keeping = keepConnected(options, state, { resolve, reject });
  });
  const close = async (): Promise<void> => {
    state.closing.abort();
    if (state.connection !== undefined) await closeConnection(state.connection);
    await settlesWithin(keeping, closeTimeoutMs);
  };
  try {
    await withTimeout(first, options.connectTimeoutMs, () => new Error(`no success within ${options.connectTimeoutMs} ms`));
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
      if (isRefusal(error)) first.reject(error);
      if (!isClosing(state))
        options.log.warn({ err: error, connection: options.name, failures }, 'could not connect to RabbitMQ');
    }
    failures += 1;
    await pause(backoffMs(failures, reconnects), undefined, { signal }).catch(() => undefined);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof BrokerUnfit || refusal.test(describeError(error));
}

/** Opens one connection and waits until it is closed. Returns how long it was connected. */
async function connectOnce(options: ConnectionManagerOptions, state: State, onFirstUp: () => void): Promise<number> {
  const connection = await openConnection(options);
  const end = watchEnd(connection.model);
  try {
    if (isClosing(state)) return 0;
    state.connection = connection;
    await withTimeout(options.setUp(connection), setUpTimeoutMs, () => new Error(`set-up took longer than ${setUpTimeoutMs} ms`));
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
    ...tlsOptions(url),
  };
  const model = await connect(withHeartbeat(url), socketOptions);
  assertFit(model);
  return { model, abort: (reason) => aborting.abort(new Error(reason)) };
}

function assertFit(model: ChannelModel): void {
  try {
    assertBrokerFit(model.connection.serverProperties);
  } catch (error) {
    model.close().catch(() => undefined);
    throw error;
  }
}

function isClosing(state: State): boolean {
  return state.closing.signal.aborted;
}

/** Resolves with the reason when the connection is closed by either side. */
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
  if (!(await settlesWithin(model.close(), closeTimeoutMs))) abort('the broker did not confirm the close');
}

function withHeartbeat(url: string): string {
  const parts = new URL(url);
  if (!parts.searchParams.has('heartbeat')) parts.searchParams.set('heartbeat', heartbeatSeconds.toString());
  return parts.href;
}

/** The host and virtual host, without the credentials. */
function hostOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname === '/' ? '' : pathname}`;
}
