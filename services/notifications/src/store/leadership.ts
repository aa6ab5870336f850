import { setTimeout as pause } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import type { Log } from '@holdfast/kernel/context';
import type { Database } from '@holdfast/postgres';

export type Leadership = {
  /** The fencing token: higher than that of every leader before. */
  readonly token: bigint;
  /** Aborted when the session with its lock is lost, or stopping begins. */
  readonly signal: AbortSignal;
};

export type LeadershipOptions = {
  readonly pool: Pick<Database['pool'], 'withConnection'>;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Leads until the signal is aborted, then lets go. */
  readonly lead: (leadership: Leadership) => Promise<void>;
};

const tryLock = `
  select pg_try_advisory_lock(hashtextextended('holdfast:event-appender:' || current_schema(), 0)) as is_leader`;

/** The server ends a session, and with it the lock, when a dead process has been silent for this long. */
const endSilentSessions = `
  set tcp_keepalives_idle = 5;
  set tcp_keepalives_interval = 2;
  set tcp_keepalives_count = 3`;

const nextToken = `
  update appender
  set token = token + 1
  returning token`;

const tryAgainMs = 500;
const heartbeatMs = 2_000;

/**
 * One process at a time leads: the one whose database session holds an advisory lock, which ends with the session however the
 * process ends. The token fences off a process that has lost its session and does not know yet.
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

/** Waits for the lock on one session, leads once, and gives up the session with the lock. */
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
  log.info({ term: token.toString() }, 'became event appender');
  const heartbeat = watch(session, lost);
  try {
    await lead({ token, signal: AbortSignal.any([signal, lost.signal]) });
    if (lost.signal.aborted) log.warn({ term: token.toString() }, 'no longer event appender');
  } finally {
    clearInterval(heartbeat);
  }
}

/** A session that no longer responds may be gone without an error. */
function watch(session: ClientBase, lost: AbortController): NodeJS.Timeout {
  return setInterval(() => {
    session.query('select').catch((error: unknown) => lost.abort(error));
  }, heartbeatMs);
}
