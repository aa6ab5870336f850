import { unnestRows } from '@holdfast/postgres';
import { backoffInterval, claimDue } from '@holdfast/work';
import { events } from './schema.js';

export const newEvents = unnestRows(events.columns);

/**
 * Returns the ids of the events that are stored under this id: new ones, and those of the same statement whose outcome was unknown. The
 * order keeps concurrent statements from waiting for each other.
 */
export const insertEvents = {
  name: 'insert-provider-events',
  text: `
  insert into provider_events (${newEvents.columns})
  select ${newEvents.values}
  from ${newEvents.from}
  order by given.provider_event_id
  on conflict (provider_event_id) do update
  set provider_event_id = excluded.provider_event_id
  where provider_events.id = excluded.id
  returning id`,
};

export const finishedEvents = unnestRows(events.columns, ['id', 'result']);

export const finishEvents = {
  name: 'finish-provider-events',
  text: `
  update provider_events
  set handled_at = now(),
    result = given.result,
    next_attempt_at = null
  from (
    select *
    from ${finishedEvents.from}
    order by id
  ) as given
  where provider_events.id = given.id
    and provider_events.result is null`,
};

/** Exponential back-off, up to five minutes. */
export const postponeEvent = {
  name: 'postpone-provider-event',
  text: `
  update provider_events
  set next_attempt_at = now() + ${backoffInterval({ attempts: 'attempts', first: '1', max: '300' })}
  where id = $1
    and result is null`,
};

export const claimDueEvents = claimDue({
  name: 'claim-due-provider-events',
  table: 'provider_events',
  where: 'next_attempt_at <= now()',
  orderBy: 'next_attempt_at',
  limit: '$1',
  set: 'attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2)',
  returning: events.selected,
});
