import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '@holdfast/shared/context';
import type { Database } from '@holdfast/shared/postgres';
import type { PoolClient } from 'pg';

export type Leadership = {
  /** Higher than that of everybody who led before. */
  readonly token: bigint;
  /** Aborted when the right to lead is gone, or stopping begins. */
  readonly signal: AbortSignal;
};

export type LeadershipOptions = {
  readonly pool: Database['pool'];
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Leads until the signal is aborted, then lets go. */
  readonly lead: (leadership: Leadership) => Promise<void>;
};

const tryLock = `
  select pg_try_advisory_lock(hashtextextended('holdfast:event-appender:' || current_schema(), 0)) as is_leader`;

/** A server that hears nothing of a dead process for this long ends its session, and with it the lock. */
const endSilentSessions = `
  set tcp_keepalives_idle = 5;
  set tcp_keepalives_interval = 2;
  set tcp_keepalives_count = 3`;

const raiseToken = `
  update appender
  set token = token + 1
  returning token`;

const askAgainMs = 500;
const heartbeatMs = 2_000;

/**
 * One process at a time leads: the one whose session with the database holds a lock, which ends with the session however the
 * process ends. The token makes sure of those who have lost it and do not know yet.
 */
export async function contendForLeadership(options: LeadershipOptions): Promise<void> {
  const { pool, log, signal } = options;
  const isStopping = (): boolean => signal.aborted;
  while (!isStopping()) {
    try {
      const session = await pool.connect();
      await leadIfFirst(options, session);
    } catch (error) {
      if (!isStopping()) log.warn({ error }, 'nobody can be chosen to append events');
    }
    await pause(askAgainMs, undefined, { signal }).catch(() => undefined);
  }
}

async function leadIfFirst(options: LeadershipOptions, session: PoolClient): Promise<void> {
  const lost = new AbortController();
  const lose = (): void => lost.abort(new Error('the session with the database has ended'));
  session.on('error', lose);
  session.on('end', lose);
  let isHandedBack = false;
  try {
    const { rows } = await session.query<{ readonly is_leader: boolean }>(tryLock);
    if (rows[0]?.is_leader === true) await leadWith(options, session, lost);
    else isHandedBack = true;
  } finally {
    session.off('end', lose);
    if (isHandedBack) session.off('error', lose);
    // Whoever has led ends the session rather than handing it back: the lock goes with it.
    session.release(!isHandedBack);
  }
}

async function leadWith({ log, signal, lead }: LeadershipOptions, session: PoolClient, lost: AbortController): Promise<void> {
  await session.query(endSilentSessions);
  const { rows } = await session.query<{ readonly token: bigint }>(raiseToken);
  const token = rows[0]?.token;
  if (token === undefined) throw new Error('There is no row that says who appends.');
  log.info({ term: token.toString() }, 'this process appends events');
  const heartbeat = watch(session, lost);
  try {
    await lead({ token, signal: AbortSignal.any([signal, lost.signal]) });
    if (lost.signal.aborted) log.warn({ term: token.toString() }, 'this process no longer appends events');
  } finally {
    clearInterval(heartbeat);
  }
}

/** A session that does not answer any more may be gone without a word. */
function watch(session: PoolClient, lost: AbortController): NodeJS.Timeout {
  return setInterval(() => {
    session.query('select').catch((error: unknown) => lost.abort(error));
  }, heartbeatMs);
}
