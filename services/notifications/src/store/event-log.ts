import { MoreThan } from 'typeorm';
import { selectList, type Database } from '@holdfast/postgres';
import type { EventLog, LoggedEvent, Replay } from '../use-cases/ports.js';
import { appender, clocks, keyChanges, loggedEventColumns, type KeyChangeRow } from './schema.js';

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

export type KeyChange = Pick<KeyChangeRow, 'position' | 'apiKeyId'>;

export type LogReader = EventLog & {
  readonly lastPosition: () => Promise<bigint>;
  /** Events of all marketplaces, in the order of the log. */
  readonly eventsAfter: (position: bigint, limit: number) => Promise<readonly LoggedEvent[]>;
  readonly lastKeyChange: () => Promise<bigint>;
  readonly keyChangesAfter: (position: bigint) => Promise<readonly KeyChange[]>;
};

export function logReader({ pool, lists }: Pick<Database, 'pool' | 'lists'>): LogReader {
  return {
    lastPosition: async () => (await pool.manager.findOneByOrFail(appender.entity, { isOnly: true })).lastPosition,
    eventsAfter: async (position, limit) => (await pool.query<LoggedEvent>(selectTail, [position, limit])).rows,
    replay: async (replay) => (await lists.query<LoggedEvent>(selectReplay(replay))).rows,
    historyDroppedUntil: async (marketplaceId) =>
      (await pool.manager.findOneBy(clocks.entity, { marketplaceId }))?.historyDroppedUntil ?? undefined,
    lastKeyChange: async () => {
      const [last] = await pool.manager.find(keyChanges.entity, { order: { position: 'desc' }, take: 1 });
      return last?.position ?? 0n;
    },
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
