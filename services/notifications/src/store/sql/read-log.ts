import { appender, type AppenderRow, type EventRow } from '../schema.js';

export type ReadLogRow = AppenderRow & {
  /** The given message ids that are in the inbox. */
  readonly handledIds: readonly string[];
  /** Highest version by aggregate; null where the log has none of the aggregates. */
  readonly versions: Readonly<Record<string, number>> | null;
  /** Last shown timestamp by marketplace, as an instant; null where no marketplace has one. */
  readonly clocks: Readonly<Record<string, string>> | null;
};

/** Reads the state that a batch depends on, in one snapshot. Returns no row where another process has become the appender. */
export const readLog = {
  name: 'read-log',
  text: `
  select
    ${appender.selected},
    array(
      select message_id
      from inbox
      where consumer = $2
        and message_id = any($3)
    ) as "handledIds",
    (
      select json_object_agg(aggregate, version)
      from aggregate_heads
      where aggregate = any($4)
    ) as versions,
    (
      select json_object_agg(marketplace_id, to_char(last_occurred_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
      from marketplace_clocks
      where marketplace_id = any($5)
    ) as clocks
  from appender
  where token = $1`,
};

export type MomentRow = Pick<EventRow, 'eventId' | 'occurredAt'>;

/** The timestamps of events in the log. */
export const readMoments = {
  name: 'read-moments',
  text: `
  select event_id as "eventId",
    occurred_at as "occurredAt"
  from events
  where event_id = any($1)`,
};
