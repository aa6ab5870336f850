import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { ConnectionPool as Pool } from '../../postgres/index.js';
import type { Log } from '../../context/index.js';
import { endsWithin } from '../time-limit.js';
import { dontWaitForDisk, tryLock } from './statements.js';

export type OwnershipOptions = { readonly pool: Pool; readonly log: Log; readonly lockTimeoutMs: number };

export type OwnershipWatcher = {
  readonly onLost: () => void;
  /** Others may have worked on the rows meanwhile. */
  readonly onRegained: () => void;
};

/** The right to deliver. It is a lock that lives as long as one session with the database. */
export type Ownership = {
  /** The session that holds the lock, or undefined while there is none. */
  readonly session: () => PoolClient | undefined;
  /** A session does one thing at a time: whoever uses it waits for those before. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** After a statement failed on the session: it is given up, and a new one is sought. */
  readonly giveUp: (session: PoolClient, reason: unknown) => void;
  readonly watch: (watcher: OwnershipWatcher) => void;
  readonly close: () => Promise<void>;
};

const lockPollMs = 100;
const recoverPauseMs = { first: 250, max: 5_000 } as const;
const closeTimeoutMs = 2_000;

type State = {
  readonly options: OwnershipOptions;
  readonly closing: AbortController;
  readonly watchers: OwnershipWatcher[];
  session: PoolClient | undefined;
  recovering: Promise<void>;
  turn: Promise<unknown>;
};

export async function takeOwnership(options: OwnershipOptions): Promise<Ownership> {
  const state: State = {
    options,
    closing: new AbortController(),
    watchers: [],
    session: undefined,
    recovering: Promise.resolve(),
    turn: Promise.resolve(),
  };
  const deadline = performance.now() + options.lockTimeoutMs;
  while (!(await tryToOwn(state))) {
    if (performance.now() > deadline) {
      throw new Error(
        'Another process delivers the messages of this database already: stop it, or set AMQP_URL so that both use RabbitMQ.',
      );
    }
    await pause(lockPollMs);
  }
  return {
    session: () => state.session,
    inTurn: (work) => {
      const result = state.turn.then(work);
      state.turn = result.catch(() => undefined);
      return result;
    },
    giveUp: (session, reason) => lose(state, session, reason),
    watch: (watcher) => {
      state.watchers.push(watcher);
    },
    close: () => close(state),
  };
}

/** Whether the lock is ours now. Throws when the database cannot be asked. */
async function tryToOwn(state: State): Promise<boolean> {
  const session = await state.options.pool.connect();
  session.on('error', (error) => lose(state, session, error));
  session.on('end', () => lose(state, session, new Error('the session has ended')));
  try {
    const { rows } = await session.query<{ readonly is_owner: boolean }>(tryLock);
    if (rows[0]?.is_owner !== true) {
      session.release(true);
      return false;
    }
    await session.query(dontWaitForDisk);
    if (state.closing.signal.aborted) throw new Error('the broker was closed meanwhile');
  } catch (error) {
    session.release(true);
    throw error;
  }
  state.session = session;
  return true;
}

function lose(state: State, session: PoolClient, reason: unknown): void {
  if (state.session !== session) return;
  state.session = undefined;
  session.release(true);
  if (state.closing.signal.aborted) return;
  state.options.log.warn({ err: reason }, 'the right to deliver messages was lost');
  for (const { onLost } of state.watchers) onLost();
  state.recovering = recover(state);
}

async function recover(state: State): Promise<void> {
  const { log } = state.options;
  const { signal } = state.closing;
  for (let attempt = 1; state.session === undefined; attempt += 1) {
    const pauseMs = Math.min(recoverPauseMs.max, recoverPauseMs.first * attempt);
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      if (await tryToOwn(state)) break;
      log.error({ attempt }, 'another process delivers the messages of this database now');
    } catch (error) {
      log.debug({ err: error, attempt }, 'the database does not answer');
    }
  }
  log.info({}, 'messages are delivered again');
  for (const { onRegained } of state.watchers) onRegained();
}

/** Ending the session frees the lock. */
async function close(state: State): Promise<void> {
  state.closing.abort();
  await endsWithin(state.recovering, closeTimeoutMs);
  const { session } = state;
  state.session = undefined;
  session?.release(true);
}
