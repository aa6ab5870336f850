import type { Instant } from '@holdfast/kernel/context';
import type { Database, Tx } from '@holdfast/postgres';
import { readNextDue } from '@holdfast/work';
import type { Order } from '../domain/order.js';
import { timerChanges, type Timer } from '../domain/timers.js';
import type { Deps } from '../use-cases/ports.js';
import type { ClaimedTimer, HeldTimer } from '../use-cases/timer-ports.js';
import type { TimerRow } from './schema.js';
import { beat, beginGraceAfterRestore, readGrace } from './sql/heartbeat.js';
import {
  cancelTimers,
  claimTimers,
  holdTimers,
  nextTimer,
  setTimers,
  wakeStoppedTimers,
  wakeTimersOfUser,
} from './sql/timers.js';

export type TimerStoreOptions = {
  readonly database: Pick<Database, 'pool'>;
  readonly graceMs: number;
  /** Timers are due that were held before. */
  readonly onWoken: () => void;
};

export function timerStore({ database: { pool }, graceMs, onWoken }: TimerStoreOptions): Deps['timers'] {
  return {
    claim: async (limit) => (await pool.query<ClaimedTimer>(claimTimers, [limit])).rows,
    nextDueInMs: () => readNextDue(pool, nextTimer),
    beat: async () => {
      const beaten = await pool.query<GraceRow>(beat, [graceMs / 1_000]);
      const { rows } = beaten.rows.length > 0 ? beaten : await pool.query<GraceRow>(readGrace);
      return rows[0]?.graceUntil ?? null;
    },
    wakeOfUser: async (userId) => {
      const { rowCount } = await pool.query(wakeTimersOfUser, [userId]);
      if (rowCount !== 0) onWoken();
    },
  };
}

type GraceRow = { readonly graceUntil: Instant | null };

export type SavedOrder = { readonly before: Order | undefined; readonly after: Order };

type TimerWrites = {
  readonly saved: readonly SavedOrder[];
  readonly held: readonly HeldTimer[];
  readonly onSet: (dueAt: Instant) => void;
};

/** Writes what the orders of a batch want otherwise than before. Most orders have no timers, and nothing is written for them. */
export function writeTimers(tx: Tx, { saved, held, onSet }: TimerWrites): void {
  const changes = saved.map(({ before, after }) => ({ order: after, ...timerChanges(before, after) }));
  const set = changes.flatMap(({ order, set: timers }) => timers.map((timer) => toTimerRow(order, timer)));
  const canceled = changes.flatMap(({ order, canceled: timers }) => timers.map((timer) => timerId(order, timer)));
  if (canceled.length > 0) tx.defer(cancelTimers, [canceled]);
  if (held.length > 0) tx.defer(holdTimers(held));
  if (set.length === 0) return;
  tx.defer(setTimers(set));
  const first = set.map(({ dueAt }) => dueAt).reduce((one, other) => (other < one ? other : one));
  tx.afterCommit(() => onSet(first));
}

export function timerId({ id }: Pick<Order, 'id'>, { kind, subject }: Pick<Timer, 'kind' | 'subject'>): string {
  return `${id} ${kind} ${subject}`;
}

function toTimerRow(order: Order, timer: Timer): TimerRow {
  const { kind, subject, dueAt } = timer;
  const { id: orderId, marketplaceId } = order;
  return { id: timerId(order, timer), orderId, marketplaceId, kind, subject, dueAt, attempts: 0, heldReason: null };
}

type StopChange = { readonly isStopped: boolean; readonly version: number };

/** What the end of a stop does: timers that it held are due, and after a restore the grace period begins. */
export function stopWrites(graceMs: number): (tx: Pick<Tx, 'defer'>, change: StopChange) => void {
  return (tx, { isStopped, version }) => {
    if (isStopped) return;
    tx.defer(beginGraceAfterRestore, [graceMs / 1_000, version]);
    tx.defer(wakeStoppedTimers, []);
  };
}
