import { claimDue, nextDue } from '@holdfast/work';
import { timers } from '../schema.js';
import { claim } from './timers.js';

/** Timers whose turn has not come yet. They are due by the marketplace's clock, so that no other claim takes them before. */
const isWaiting = `timers.attempts = 0
      and timers.held_reason is null`;

/** A timer that has failed more often no longer keeps the later ones from their turn. */
const attemptsMax = 5;
/** The age of a saga run from which on it no longer does, either. */
const runAgeMax = `interval '10 minutes'`;

const ahead = 'make_interval(secs => marketplaces.clock_offset_seconds)';

/** An older message never moves a clock back. The clock stands where it was until its timers have caught up. */
export const advanceClock = {
  name: 'advance-test-clock',
  text: `
  insert into marketplaces (id, on_no_response, version, clock_offset_seconds, clock_stands_at)
  values ($1, 'none', 0, $2, now())
  on conflict (id) do update
  set clock_offset_seconds = excluded.clock_offset_seconds,
    clock_stands_at = coalesce(marketplaces.clock_stands_at, now() + ${ahead})
  where marketplaces.clock_offset_seconds < excluded.clock_offset_seconds`,
};

/** A timer that comes next, or that the clock has to wait for. */
const nextOfClock = `(
      select min(timers.due_at)
      from timers
      where timers.marketplace_id = marketplaces.id
        and ${isWaiting}
    )`;

/** A clock that stands has work now. One that has no timers is looked at, too, so that the process knows of it. */
export const nextClockStep = nextDue({
  name: 'next-step-of-test-clocks',
  table: 'marketplaces',
  where: 'clock_offset_seconds > 0',
  dueAt: `case when clock_stands_at is null then coalesce(${nextOfClock} - ${ahead}, now() + interval '1 hour') else now() end`,
});

/** One process at a time moves a clock. */
export const lockClocks = {
  name: 'lock-test-clocks',
  text: `
  select id
  from marketplaces
  where clock_offset_seconds > 0
    and (clock_stands_at is not null or ${nextOfClock} <= now() + ${ahead})
  order by id
  for update skip locked`,
};

/** A separate statement after the lock, so that it sees what the process before has committed. */
export const readClock = {
  name: 'read-test-clock',
  text: `
  select exists (
      select
      from timers
      where marketplace_id = marketplaces.id
        and attempts between 1 and ${attemptsMax}
        and held_reason is null
    ) or exists (
      select
      from saga_runs
      where marketplace_id = marketplaces.id
        and closed_at is null
        and next_retry_at is not null
        and begun_at > now() - ${runAgeMax}
    ) as "isBusy",
    case when ${nextOfClock} <= now() + ${ahead} then ${nextOfClock} end as "nextAt"
  from marketplaces
  where id = $1`,
};

/** A timer that fires late, because no process has looked before, does not move the clock back. */
export const moveClock = {
  name: 'move-test-clock',
  text: `
  update marketplaces
  set clock_stands_at = case
      when $2::timestamptz is null then null
      else greatest(coalesce(clock_stands_at, now() + ${ahead}), $2)
    end
  where id = $1`,
};

export const claimNextOfClock = claimDue({
  name: 'claim-next-timer-of-test-clock',
  table: timers.table,
  where: `marketplace_id = $1
      and ${isWaiting}
      and due_at = $2`,
  orderBy: 'id',
  limit: '1',
  ...claim,
});

export const readOffset = {
  name: 'read-offset-of-test-clock',
  text: `
  select clock_offset_seconds as "offsetSeconds",
    clock_stands_at as "standsAt"
  from marketplaces
  where id = $1`,
};

/** Timers that are due and not held, and the sagas that have not ended. A timer that was claimed is due where the clock stands. */
export const readRemaining = {
  name: 'remaining-by-test-clock',
  text: `
  select kind,
    trim(order_id || ' ' || subject) as id,
    case when attempts = 0 then due_at else coalesce(clock_stands_at, due_at) end as "dueAt"
  from timers
  join marketplaces on marketplaces.id = timers.marketplace_id
  where marketplace_id = $1
    and held_reason is null
    and (attempts > 0 or due_at <= now() + ${ahead})
  union all
  select saga, id, null
  from saga_runs
  where marketplace_id = $1
    and closed_at is null
  order by "dueAt", id
  limit $2`,
};
