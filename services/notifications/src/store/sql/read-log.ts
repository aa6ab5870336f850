import { selectList } from '@holdfast/postgres';
import { appenderColumns, type AppenderRow } from '../schema.js';

export type ReadLogRow = AppenderRow & {
  /** Of the messages that were named, those that were handled before. */
  readonly handledIds: readonly string[];
  /** By aggregate; null where the log has none of them. */
  readonly versions: Readonly<Record<string, number>> | null;
  /** The last moment that each marketplace was shown, as an instant; null where none was shown anything. */
  readonly clocks: Readonly<Record<string, string>> | null;
};

/** What a batch depends on, in one snapshot. No row where another process has become the appender. */
export const readLog = {
  name: 'read-log',
  text: `
  select
    ${selectList(appenderColumns, 'appender')},
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
