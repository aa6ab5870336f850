import { setTimeout as pause } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import type { Log } from '@holdfast/kernel/context';
import type { Database } from '@holdfast/postgres';

export type Leadership = {
  /** The fencing token: higher than the token of every earlier leader. */
  readonly token: bigint;
  /** Aborted when the session that holds the lock is lost, or when the process stops. */
  readonly signal: AbortSignal;
};

export type LeadershipOptions = {
  readonly pool: Pick<Database['pool'], 'withConnection'>;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Runs while this process is the leader; must return soon after the signal is aborted. */
  readonly lead: (leadership: Leadership) => Promise<void>;
};

const tryLock = `
  select pg_try_advisory_lock(hashtextextended('holdfast:event-appender:' || current_schema(), 0)) as is_leader`;

/** With these keepalives Postgres ends the session of an unreachable process, and with it the lock, after about 11 seconds. */
const endSilentSessions = `
  set tcp_keepalives_idle = 5;
  set tcp_keepalives_interval = 2;
  set tcp_keepalives_count = 3`;

const nextToken = `
  update appender
  set token = token + 1
  returning token`;

const tryAgainMs = 500;
const heartbeatMs = 10_000;

/**
 * Leader election by an advisory lock: the leader's database session holds it, and Postgres releases it when the session ends.
 * The fencing token blocks a leader that has lost its session and has not noticed yet. See ADR 0014.
 */
export async function contendForLeadership(options: LeadershipOptions): Promise<void> {
  const { pool, log, signal } = options;
  const isStopping = (): boolean => signal.aborted;
  while (!isStopping()) {
    try {
      await pool.withConnection((session) => leadOnce(options, session));
    } catch (error) {
      if (!isStopping()) log.warn({ error }, 'leader election for the event appender failed');
    }
    await pause(tryAgainMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Waits for the lock on one session and leads until the leadership ends. The session is released with the lock. */
async function leadOnce(options: LeadershipOptions, session: ClientBase): Promise<void> {
  const lost = new AbortController();
  const lose = (): void => lost.abort(new Error('the database session has ended'));
  session.on('error', lose);
  session.on('end', lose);
  const signal = AbortSignal.any([options.signal, lost.signal]);
  while (!signal.aborted) {
    const { rows } = await session.query<{ readonly is_leader: boolean }>(tryLock);
    if (rows[0]?.is_leader === true) return leadWith(options, session, lost);
    await pause(tryAgainMs, undefined, { signal }).catch(() => undefined);
  }
}

async function leadWith({ log, signal, lead }: LeadershipOptions, session: ClientBase, lost: AbortController): Promise<void> {
  await session.query(endSilentSessions);
  const { rows } = await session.query<{ readonly token: bigint }>(nextToken);
  const token = rows[0]?.token;
  if (token === undefined) throw new Error('The table appender has no row.');
  // The field is named `term` because the log redacts every field whose name contains `token`.
  log.info({ term: token.toString() }, 'became event appender');
  const heartbeat = watch(session, lost);
  try {
    await lead({ token, signal: AbortSignal.any([signal, lost.signal]) });
    if (lost.signal.aborted) log.warn({ term: token.toString() }, 'no longer event appender');
  } finally {
    clearInterval(heartbeat);
  }
}

/**
 * A connection can be lost without an error event, so the session is queried about as often as Postgres ends silent sessions. Until
 * then nothing is wrong: a new leader's token refuses the appends of this one.
 */
function watch(session: ClientBase, lost: AbortController): NodeJS.Timeout {
  return setInterval(() => {
    session.query('select').catch((error: unknown) => lost.abort(error));
  }, heartbeatMs);
}
