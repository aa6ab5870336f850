import { columnsOf, unnestRows, type BoundStatement } from '@holdfast/postgres';
import type { NewDelivery } from '../../use-cases/webhooks/ports.js';
import { deliveries, isOpen } from './schema.js';

const newDeliveryColumns = columnsOf<NewDelivery>()({
  id: { column: 'id', type: 'text' },
  endpointId: { column: 'endpoint_id', type: 'text' },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  eventId: { column: 'event_id', type: 'text' },
  eventType: { column: 'event_type', type: 'text' },
  aggregateType: { column: 'aggregate_type', type: 'text' },
  aggregateId: { column: 'aggregate_id', type: 'text' },
  position: { column: 'position', type: 'bigint' },
  eventAppendedAt: { column: 'event_appended_at', type: 'timestamptz' },
  body: { column: 'body', type: 'text' },
  isReplay: { column: 'is_replay', type: 'boolean' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
  isOrdered: { column: 'is_ordered', type: 'boolean' },
});

const given = unnestRows(newDeliveryColumns);
const inserted = given.columns.split(', ').filter((column) => column !== 'is_ordered');

/**
 * A delivery is due at once, unless another one of its aggregate is open in the same queue. The endpoints must be locked by a statement
 * before this one, so that a delivery that ends meanwhile makes the new one due. Endpoints without a lease are due, too.
 */
const text = `
  with numbered as (
    select given.*,
      row_number() over (partition by endpoint_id, is_replay, aggregate_type, aggregate_id order by position) as place
    from ${given.from}
  ),
  rows as (
    insert into ${deliveries.table} (${inserted.join(', ')}, status, next_attempt_at)
    select ${inserted.map((column) => `numbered.${column}`).join(', ')},
      'PENDING',
      case
        when not numbered.is_ordered then numbered.created_at
        when numbered.place = 1 and not exists (
          select
          from ${deliveries.table} as other
          where other.endpoint_id = numbered.endpoint_id
            and other.is_replay = numbered.is_replay
            and other.aggregate_type = numbered.aggregate_type
            and other.aggregate_id = numbered.aggregate_id
            and other.${isOpen}
        ) then numbered.created_at
      end
    from numbered
    order by numbered.position
    on conflict (id) do nothing
    returning endpoint_id, next_attempt_at
  )
  update webhook_endpoints
  set due_at = first.next_attempt_at
  from (
    select endpoint_id, min(next_attempt_at) as next_attempt_at
    from rows
    group by endpoint_id
  ) as first
  where id = first.endpoint_id
    and first.next_attempt_at < coalesce(due_at, 'infinity')`;

export function insertDeliveries(rows: readonly NewDelivery[]): BoundStatement {
  return { name: 'insert-webhook-deliveries', text, values: given.valuesOf(rows) };
}
