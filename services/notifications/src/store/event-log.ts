import { MoreThan } from 'typeorm';
import { selectList, type Database } from '@holdfast/postgres';
import type { EventLog, LoggedEvent, Replay } from '../use-cases/ports.js';
import { clocks, keyChanges, loggedEventColumns, type KeyChangeRow } from './schema.js';

const loggedEvents = selectList(loggedEventColumns, 'events');

const selectTail = {
  name: 'tail-events',
  text: `
  select ${loggedEvents}
  from events
  where position > $1
  order by position
  limit $2`,
};

const selectEnds = {
  name: 'ends-of-the-log',
  text: `
  select last_position as position,
    coalesce((select max(position) from key_changes), 0) as "keyChange"
  from appender`,
};

export type KeyChange = Pick<KeyChangeRow, 'position' | 'apiKeyId'>;

/** The last position of the log and of the key changes. */
export type LogEnds = { readonly position: bigint; readonly keyChange: bigint };

export type LogReader = EventLog & {
  readonly ends: () => Promise<LogEnds>;
  /** Events of all marketplaces, in the order of the log. */
  readonly eventsAfter: (position: bigint, limit: number) => Promise<readonly LoggedEvent[]>;
  readonly keyChangesAfter: (position: bigint) => Promise<readonly KeyChange[]>;
};

export function logReader({ pool, lists }: Pick<Database, 'pool' | 'lists'>): LogReader {
  return {
    ends: async () => {
      const [ends] = (await pool.query<LogEnds>(selectEnds)).rows;
      if (ends === undefined) throw new Error('The table appender has no row.');
      return ends;
    },
    eventsAfter: async (position, limit) => (await pool.query<LoggedEvent>(selectTail, [position, limit])).rows,
    replay: async (replay) => (await lists.query<LoggedEvent>(selectReplay(replay))).rows,
    historyDroppedUntil: async (marketplaceId) =>
      (await pool.manager.findOneBy(clocks.entity, { marketplaceId }))?.historyDroppedUntil ?? undefined,
    keyChangesAfter: (position) =>
      pool.manager.find(keyChanges.entity, { where: { position: MoreThan(position) }, order: { position: 'asc' } }),
  };
}

/**
 * The statement contains only the filters in use. Within a marketplace `occurred_at` and positions have the same order, so one
 * index serves both.
 */
function selectReplay({ marketplaceId, after, afterPosition, untilPosition, filter, limit }: Replay) {
  const values: unknown[] = [marketplaceId, after, afterPosition, untilPosition, limit];
  const oneOf = (column: string, names: ReadonlySet<string> | null): string =>
    names === null ? '' : `and ${column} = any($${values.push([...names])})`;
  const text = `
  select ${loggedEvents}
  from events
  where marketplace_id = $1
    and occurred_at > $2
    and position > $3
    and position <= $4
    ${oneOf('event_type', filter.types)}
    ${oneOf('aggregate_type', filter.resources)}
  order by occurred_at
  limit $5`;
  return { text, values };
}
