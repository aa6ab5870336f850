import { randomUUID } from 'node:crypto';
import { stopHandler, type StopHandler } from '@holdfast/intents/provider-controls';
import { durationMsOf, toEpochMs, type Instant } from '@holdfast/kernel/instants';
import type { ServiceRuntime } from '@holdfast/service-kit';
import { dueWorkEveryMs, type Job } from '@holdfast/work';
import type { Settings } from './config.js';
import { measureTimersJob } from './store/measure-timers.js';
import { beginGraceAfterRestore } from './store/sql/heartbeat.js';
import { wakeStoppedTimers } from './store/sql/timers.js';
import { timerStore } from './store/timer-store.js';
import { fireDueTimers } from './use-cases/fire-due-timers.js';
import type { Deps } from './use-cases/ports.js';

const fireTimersJob = 'fire-timers';
const beatEveryMs = 60_000;

type Timers = {
  readonly store: Deps['timers'];
  /** Wakes up the job for a timer that is due before it looks again. */
  readonly onSet: (dueAt: Instant) => void;
  readonly handleStopChanged: StopHandler;
};

export function timersOf({ config, database, clock, wake }: ServiceRuntime<Settings>): Timers {
  const graceMs = durationMsOf(config.TIMER_GRACE) ?? 0;
  const wakeJob = (): void => wake(fireTimersJob);
  return {
    store: timerStore({ database, graceMs, onWoken: wakeJob }),
    onSet: (dueAt) => {
      const inMs = Math.max(0, toEpochMs(dueAt) - clock.epochMs());
      if (inMs < dueWorkEveryMs) wake(fireTimersJob, inMs);
    },
    handleStopChanged: stopHandler({ database, service: 'orders', beforeStored: stopWrites(graceMs) }, wakeJob),
  };
}

/** What the end of a stop does: timers that it held are due, and after a restore the grace period begins. */
export function stopWrites(graceMs: number): NonNullable<Parameters<typeof stopHandler>[0]['beforeStored']> {
  return (tx, { isStopped, version }) => {
    if (isStopped) return;
    tx.defer(beginGraceAfterRestore, [graceMs / 1_000, version]);
    tx.defer(wakeStoppedTimers, []);
  };
}

export function timerJobs(runtime: ServiceRuntime<Settings>, deps: Deps): readonly Job[] {
  const { clock, log } = runtime;
  const caller = { type: 'timer', id: 'timer', scopes: [] } as const;
  return [
    {
      name: fireTimersJob,
      everyMs: dueWorkEveryMs,
      nextDueInMs: deps.timers.nextDueInMs,
      run: (signal) =>
        fireDueTimers(deps, {
          contextOf: (marketplaceId) => ({ caller: { ...caller, marketplaceId }, requestId: randomUUID(), at: clock.now(), log }),
          signal,
        }),
    },
    {
      name: 'beat',
      everyMs: beatEveryMs,
      run: async () => {
        await deps.timers.beat();
      },
    },
    measureTimersJob(runtime),
  ];
}
