import type { Instant } from '@holdfast/kernel/context';
import {
  excludedList,
  insertMany,
  propertiesBut,
  singleRow,
  tableOf,
  type RowsToDelete,
  type Statement,
} from '@holdfast/postgres';
import { backoffInterval, claimDue, nextDue } from '@holdfast/work';
import type { ClaimedEvent, EventResult } from './webhook-event.js';

export type EventRow = ClaimedEvent & {
  readonly handledAt: Instant | null;
  readonly result: EventResult | null;
  readonly note: string | null;
  readonly nextAttemptAt: Instant | null;
};

const events = tableOf<EventRow>('webhook_events')({
  id: { column: 'id', type: 'text', isPrimary: true },
  providerEventId: { column: 'provider_event_id', type: 'text' },
  eventType: { column: 'event_type', type: 'text' },
  body: { column: 'body', type: 'bytea' },
  isSigned: { column: 'is_signed', type: 'boolean' },
  receivedAt: { column: 'received_at', type: 'timestamptz' },
  handledAt: { column: 'handled_at', type: 'timestamptz' },
  result: { column: 'result', type: 'text' },
  note: { column: 'note', type: 'text' },
  attempts: { column: 'attempts', type: 'integer' },
  nextAttemptAt: { column: 'next_attempt_at', type: 'timestamptz' },
});

/** Returns no row if the event was stored before. A stored event is replaced only if it had no signature and the new one has. */
const onlyOnce = `on conflict (provider_event_id) do update
  set ${excludedList(events.columns, propertiesBut(events.columns, ['providerEventId']))}
  where excluded.is_signed
    and not webhook_events.is_signed
  returning id`;

export const insertEvents = insertMany({
  name: 'insert-webhook-events',
  table: 'webhook_events',
  columns: events.columns,
  suffix: onlyOnce,
});

const received = ['id', 'providerEventId', 'eventType', 'body', 'isSigned', 'receivedAt'] as const;
const stored = singleRow(events.columns, received);
const given = [...received, 'nextAttemptAt'] as const;
const rowOfEvent = singleRow(events.columns, given);

/** An event whose outcome is read by the statement that stores it; it is claimed for its first attempt if that is unknown. */
export type NewEventRow = Pick<EventRow, (typeof given)[number]>;

/** A statement of the service that says what is known of an event, in one row with the columns of `KnownOutcome`. */
export type LookUpSql = Statement & { readonly parameters: number };

/**
 * Stores an event with the outcome that the statement of the service returns. Returns that row and whether the event is new. The statement of
 * the service has the first parameters.
 */
export function insertionWith({ name, text, parameters }: LookUpSql): Statement {
  const row = singleRow(events.columns, given, { parametersBefore: parameters });
  return {
    name: `insert-webhook-event-${name}`,
    text: `
  with known as (${text}
  ),
  stored as (
    insert into webhook_events (${stored.columns}, result, note, handled_at, attempts, next_attempt_at)
    select ${stored.values},
      known.result,
      known.note,
      case when known.result is not null then given.received_at end,
      case when known.result is null then 1 else 0 end,
      case when known.result is null then given.next_attempt_at end
    from ${row.from}
    cross join known
    ${onlyOnce}
  )
  select known.*,
    exists (select from stored) as "isNew"
  from known`,
  };
}

export const valuesOfEvent: (event: NewEventRow) => readonly unknown[] = rowOfEvent.valuesOf;

export const finishEvent = {
  name: 'finish-webhook-event',
  text: `
  update webhook_events
  set handled_at = now(),
    result = $2,
    note = $3,
    next_attempt_at = null
  where id = $1
    and result is null`,
};

/** Exponential back-off, up to five minutes. Returns in how many milliseconds the next attempt is due. */
export const postponeEvent = {
  name: 'postpone-webhook-event',
  text: `
  update webhook_events
  set next_attempt_at = now() + ${backoffInterval({ attempts: 'attempts', first: '1', max: '300' })},
    note = $2
  where id = $1
    and result is null
  returning (extract(epoch from next_attempt_at - now()) * 1000)::float8 as "inMs"`,
};

/** Begins the next attempt of due events, and of those whose process has died. */
export const claimDueEvents = claimDue({
  name: 'claim-due-webhook-events',
  table: 'webhook_events',
  where: 'next_attempt_at <= now()',
  orderBy: 'next_attempt_at',
  limit: '$1',
  set: 'attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2)',
  returning: events.selected,
});

export const nextDueEvent = nextDue({
  name: 'next-due-webhook-event',
  table: 'webhook_events',
  where: 'next_attempt_at is not null',
  dueAt: 'next_attempt_at',
});

/** Longer than the providers repeat an event, by hand too. */
const retentionDays = 30;
/** Any stranger can send an event without a signature, so it is kept for a day only. */
const unsignedRetentionDays = 1;

export const oldEvents: readonly RowsToDelete[] = [
  { isSigned: true, days: retentionDays },
  { isSigned: false, days: unsignedRetentionDays },
].map(({ isSigned, days }) => ({
  table: 'webhook_events',
  where: 'is_signed = $3 and received_at < now() - make_interval(days => $2) and result is not null',
  values: [days, isSigned],
}));
