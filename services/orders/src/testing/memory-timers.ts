import { instantAfter, toEpochMs, toInstant, type Clock, type Duration, type Instant } from '@holdfast/kernel/instants';
import type { MemoryTables } from '@holdfast/testing/memory';
import type { Order } from '../domain/order.js';
import { timerChanges } from '../domain/timers.js';
import { timerId } from '../store/timer-store.js';
import type { TimerRow } from '../store/schema.js';
import type { Deps, UnitOfWork } from '../use-cases/ports.js';
import type { ClaimedTimer } from '../use-cases/timer-ports.js';
import type { OrderTables } from './memory-rows.js';

const grace: Duration = 'PT24H';
const awayAfterMs = 3_600_000;
const delaySeconds = { first: 5, max: 60 };

/** What `writeTimers` does to the rows. */
export function saveTimers({ timers }: OrderTables, before: Order | undefined, after: Order): void {
  const { set, canceled } = timerChanges(before, after);
  const { id: orderId, marketplaceId } = after;
  for (const timer of canceled) timers.delete(timerId(after, timer));
  for (const timer of set) {
    const id = timerId(after, timer);
    timers.set(id, { ...timer, id, orderId, marketplaceId, attempts: 0, heldReason: null });
  }
}

export function memoryHolds({ timers }: OrderTables): UnitOfWork['timers'] {
  return {
    hold: ({ id, heldReason, dueAt }) => {
      const row = timers.get(id);
      if (row !== undefined) timers.set(id, { ...row, heldReason, dueAt });
    },
  };
}

export function memoryTimers({ committed, inTransaction }: MemoryTables<OrderTables>, clock: Clock): Deps['timers'] {
  return {
    claim: (limit) =>
      inTransaction(({ tables: { timers } }) => {
        const due = [...timers.values()].filter(({ dueAt }) => dueAt <= clock.now()).slice(0, limit);
        return due.map((row) => claimTimer(timers, row, clock.now()));
      }),
    nextDueInMs: async () => {
      const times = [...committed().timers.values()].map(({ dueAt }) => toEpochMs(dueAt) - clock.epochMs());
      return times.length === 0 ? undefined : Math.min(...times);
    },
    beat: () =>
      inTransaction(({ tables: { heartbeat } }) => {
        const { beatAt, graceUntil } = heartbeat.get('platform') ?? { beatAt: clock.now(), graceUntil: null };
        const wasAway = clock.epochMs() - toEpochMs(beatAt) > awayAfterMs;
        const until = wasAway ? instantAfter(clock.now(), grace) : graceUntil;
        heartbeat.set('platform', { beatAt: clock.now(), graceUntil: until });
        return until;
      }),
    wakeOfUser: (userId) =>
      inTransaction(({ tables: { timers, orders } }) => {
        const isParty = ({ orderId }: TimerRow): boolean => {
          const order = orders.get(orderId);
          return order?.buyerId === userId || order?.sellerId === userId;
        };
        wakeWhere(timers, clock.now(), (row) => row.heldReason === 'SUSPENDED_PARTY' && isParty(row));
      }),
  };
}

/** Moves the due time by the back-off. */
export function claimTimer(timers: OrderTables['timers'], row: TimerRow, at: Instant): ClaimedTimer {
  const retryAt = afterSeconds(at, Math.min(delaySeconds.first * 2 ** row.attempts, delaySeconds.max));
  timers.set(row.id, { ...row, attempts: row.attempts + 1, heldReason: null, dueAt: retryAt });
  return { ...row, retryAt };
}

/** Makes the timers due that the stop has held. */
export function wakeStopped({ timers }: OrderTables, at: Instant): void {
  wakeWhere(timers, at, ({ heldReason }) => heldReason === 'EMERGENCY_STOP');
}

function wakeWhere(timers: OrderTables['timers'], dueAt: Instant, isWoken: (row: TimerRow) => boolean): void {
  for (const row of [...timers.values()].filter(isWoken)) timers.set(row.id, { ...row, dueAt, attempts: 0, heldReason: null });
}

function afterSeconds(at: Instant, seconds: number): Instant {
  return toInstant(toEpochMs(at) + seconds * 1_000);
}
