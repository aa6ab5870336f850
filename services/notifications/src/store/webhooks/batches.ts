import { columnsOf, unnestRows, type BoundStatement } from '@holdfast/postgres';
import type { Instant } from '@holdfast/kernel/instants';
import type { EventBatch, StoredUntil } from '../../use-cases/webhooks/ports.js';
import { endpoints } from './schema.js';
import { queuedEvent } from './sql.js';

export const batches = 'webhook_batches';

type BatchRow = {
  readonly endpointId: EventBatch['endpointId'];
  readonly firstPosition: bigint;
  readonly lastPosition: bigint;
  /** Array literals, because `unnest` would flatten an array of arrays. */
  readonly positions: string;
  readonly appendedAt: string;
};

const given = unnestRows(
  columnsOf<BatchRow>()({
    endpointId: { column: 'endpoint_id', type: 'text' },
    firstPosition: { column: 'first_position', type: 'bigint' },
    lastPosition: { column: 'last_position', type: 'bigint' },
    positions: { column: 'positions', type: 'text' },
    appendedAt: { column: 'appended_at', type: 'text' },
  }),
);

/** The endpoints must be locked. Those without a lease are due, too. */
const insertText = `
  with inserted as (
    insert into ${batches} (${given.columns})
    select given.endpoint_id, given.first_position, given.last_position, given.positions::bigint[], given.appended_at::timestamptz[]
    from ${given.from}
    order by given.endpoint_id
    returning endpoint_id
  )
  update ${endpoints.table}
  set due_at = $${given.lastParameter + 1}
  from inserted
  where ${endpoints.table}.id = inserted.endpoint_id
    and $${given.lastParameter + 1} < coalesce(${endpoints.table}.due_at, 'infinity')`;

export function insertBatches(added: readonly EventBatch[], at: Instant): BoundStatement {
  return { name: 'insert-webhook-batches', text: insertText, values: [...given.valuesOf(added.flatMap(rowOf)), at] };
}

function rowOf({ endpointId, events }: EventBatch): readonly BatchRow[] {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) return [];
  const positions = `{${events.map(({ position }) => position).join()}}`;
  const appendedAt = `{${events.map((event) => event.appendedAt).join()}}`;
  return [{ endpointId, firstPosition: first.position, lastPosition: last.position, positions, appendedAt }];
}

/** The events of an endpoint's batches after a position, as positions and times of the log. */
export const positionsAfter = (endpointId: string, after: string, limit: string): string => `(
      select listed.position,
        listed.appended_at
      from ${batches}
      cross join lateral unnest(${batches}.positions, ${batches}.appended_at) as listed (position, appended_at)
      where ${batches}.endpoint_id = ${endpointId}
        and ${batches}.last_position > ${after}
        and listed.position > ${after}
      order by listed.position
      limit ${limit}
    )`;

export const selectBatchedEvents = {
  name: 'events-of-webhook-batches',
  text: `
  select ${queuedEvent}
  from ${positionsAfter('$1', '$2', '$3')} as listed
  join events on events.position = listed.position
    and events.appended_at = listed.appended_at
  order by events.position`,
};

const stored = unnestRows(
  columnsOf<StoredUntil>()({
    endpointId: { column: 'endpoint_id', type: 'text' },
    position: { column: 'position', type: 'bigint' },
  }),
  undefined,
  { name: 'stored' },
);

const removeText = `
  delete from ${batches}
  using ${stored.from}
  where ${batches}.endpoint_id = stored.endpoint_id
    and ${batches}.last_position <= stored.position`;

/** The endpoints must be locked. */
export function removeBatches(until: readonly StoredUntil[]): BoundStatement {
  return { name: 'remove-webhook-batches', text: removeText, values: stored.valuesOf(until) };
}
