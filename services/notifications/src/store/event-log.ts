import { toAppError, type Database, type Statement } from '@holdfast/shared/postgres';
import type { Instant } from '@holdfast/shared/context';
import type { EventLog, LoggedEvent, Replay } from '../use-cases/ports.js';

const columns = `position, marketplace_id as "marketplaceId", occurred_at as "occurredAt", event_type as "eventType",
    aggregate_type as "aggregateType", envelope`;

const selectTail = {
  name: 'tail-events',
  text: `
  select ${columns}
  from events
  where position > $1
  order by position
  limit $2`,
};

/** Moments and positions of a marketplace have one order, so the index of moments serves both. */
const selectReplay = `
  select ${columns}
  from events
  where marketplace_id = $1
    and occurred_at > $2
    and position > $3
    and position <= $4
    and ($5::text[] is null or event_type = any($5))
    and ($6::text[] is null or aggregate_type = any($6))
  order by occurred_at
  limit $7`;

const selectLastPosition = 'select last_position from appender';

const selectForgotten = `
  select forgotten_until
  from marketplace_clocks
  where marketplace_id = $1`;

const selectKeyChanges = {
  name: 'find-key-changes',
  text: `
  select position, api_key_id as "apiKeyId"
  from key_changes
  where position > $1
  order by position`,
};

const selectLastKeyChange = 'select coalesce(max(position), 0) as position from key_changes';

export type KeyChange = { readonly position: bigint; readonly apiKeyId: string };

export type LogReader = EventLog & {
  readonly lastPosition: () => Promise<bigint>;
  /** Of all marketplaces, in the order of the log. */
  readonly after: (position: bigint, limit: number) => Promise<readonly LoggedEvent[]>;
  readonly lastKeyChange: () => Promise<bigint>;
  readonly keyChangesAfter: (position: bigint) => Promise<readonly KeyChange[]>;
};

export function logReader({ pool }: Pick<Database, 'pool'>): LogReader {
  const rowsOf = async <Row>(sql: string | Statement, values: readonly unknown[] = []): Promise<readonly Row[]> => {
    try {
      const { rows } = await pool.query({ ...(typeof sql === 'string' ? { text: sql } : sql), values: [...values] });
      return rows as readonly Row[];
    } catch (error) {
      throw toAppError(error);
    }
  };
  return {
    lastPosition: async () => {
      const [row] = await rowsOf<{ readonly last_position: bigint }>(selectLastPosition);
      return row?.last_position ?? 0n;
    },
    after: (position, limit) => rowsOf<LoggedEvent>(selectTail, [position, limit]),
    replay: (asked) => rowsOf<LoggedEvent>(selectReplay, parametersOf(asked)),
    forgottenUntil: async (marketplaceId) => {
      const [row] = await rowsOf<{ readonly forgotten_until: Instant | null }>(selectForgotten, [marketplaceId]);
      return row?.forgotten_until ?? undefined;
    },
    lastKeyChange: async () => {
      const [row] = await rowsOf<{ readonly position: bigint }>(selectLastKeyChange);
      return row?.position ?? 0n;
    },
    keyChangesAfter: (position) => rowsOf<KeyChange>(selectKeyChanges, [position]),
  };
}

function parametersOf({ marketplaceId, after, afterPosition, untilPosition, filter, limit }: Replay): readonly unknown[] {
  const types = filter.types === null ? null : [...filter.types];
  const resources = filter.resources === null ? null : [...filter.resources];
  return [marketplaceId, after, afterPosition, untilPosition, types, resources, limit];
}
