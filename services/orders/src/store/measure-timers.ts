import type { ServiceRuntime } from '@holdfast/service-kit';
import { measureEveryMs, type Job } from '@holdfast/work';
import { disputesOverdue, timersDueLag, timersFailing, timersHeld } from '../metrics.js';
import { heldReasons } from '../domain/timers.js';

type Measured = {
  readonly lagSeconds: number;
  readonly failing: number;
  readonly overdue: number;
  /** By reason. */
  readonly held: Readonly<Record<string, number>>;
};

/** Each part reads an index of what it counts only. A timer that was claimed is due later, so a lag means that no process claims. */
const measure = {
  name: 'measure-timers',
  text: `
  select
    coalesce((
      select greatest(extract(epoch from now() - due_at), 0)::float8
      from timers
      where due_at <= now()
      order by due_at
      limit 1
    ), 0) as "lagSeconds",
    (
      select count(*)::integer
      from timers
      where attempts > 5 and held_reason is null
    ) as failing,
    (
      select count(*)::integer
      from disputes
      where overdue_at is not null and status <> 'RESOLVED'
    ) as overdue,
    (
      select coalesce(json_object_agg(held_reason, held), '{}')
      from (
        select held_reason, count(*)::integer as held
        from timers
        where held_reason is not null
        group by held_reason
      ) as by_reason
    ) as held`,
};

export function measureTimersJob({ database, metrics }: Pick<ServiceRuntime, 'database' | 'metrics'>): Job {
  const lag = metrics.gauge(timersDueLag);
  const failing = metrics.gauge(timersFailing);
  const overdue = metrics.gauge(disputesOverdue);
  const held = metrics.gauge(timersHeld);
  return {
    name: 'measure-timers',
    everyMs: measureEveryMs,
    isMeasurement: true,
    run: async () => {
      const { rows } = await database.lists.query<Measured>(measure);
      for (const row of rows) {
        lag.set(row.lagSeconds);
        failing.set(row.failing);
        overdue.set(row.overdue);
        for (const reason of heldReasons) held.set({ reason }, row.held[reason] ?? 0);
      }
    },
  };
}
