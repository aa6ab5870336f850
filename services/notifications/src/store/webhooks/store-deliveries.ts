import { columnsOf, unnestRows, type BoundStatement } from '@holdfast/postgres';
import type { AttemptRecord, DeliveryState, WebhookDelivery } from '../../use-cases/webhooks/ports.js';
import { deliveries, isOpen } from './schema.js';

type StoredRow = WebhookDelivery & { readonly attemptLog: readonly AttemptRecord[] };

const given = unnestRows(
  columnsOf<StoredRow>()({
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
    status: { column: 'status', type: 'text' },
    attempts: { column: 'attempts', type: 'integer' },
    nextAttemptAt: { column: 'next_attempt_at', type: 'timestamptz' },
    deliveredAt: { column: 'delivered_at', type: 'timestamptz' },
    attemptLog: { column: 'attempt_log', type: 'jsonb' },
  }),
);

const seen = deliveries.table;
const applies = `(
      ${seen}.${isOpen} and (excluded.status = 'DELIVERED' or ${seen}.attempts = excluded.attempts - 1)
      or ${seen}.status = 'CANCELED' and excluded.status = 'DELIVERED'
    )`;

/**
 * Inserts deliveries, most of them with the outcome of their first attempt. In a row that exists an attempt is recorded: it is in the log
 * once, also when it is recorded again after an unknown outcome. It changes the status of an open delivery, unless another process has made
 * an attempt meanwhile; a success also changes a canceled delivery. The endpoints must be locked.
 */
const text = `
  with written as (
    insert into ${seen} (${given.columns})
    select ${given.values}
    from ${given.from}
    on conflict (id) do update
    set attempts = ${seen}.attempts + 1,
      attempt_log = ${seen}.attempt_log || excluded.attempt_log,
      status = case when ${applies} then excluded.status else ${seen}.status end,
      next_attempt_at = case when ${applies} then excluded.next_attempt_at else ${seen}.next_attempt_at end,
      delivered_at = case when ${applies} then excluded.delivered_at else ${seen}.delivered_at end
    where excluded.attempts > 0
      and not ${seen}.attempt_log @> excluded.attempt_log
    returning id
  )
  select count(*)::int as count
  from written`;

export function storeDeliveries(states: readonly DeliveryState[]): BoundStatement {
  return { name: 'store-webhook-deliveries', text, values: given.valuesOf(states.map(rowOf)) };
}

function rowOf({ subject, status, attempts, attempt, nextAttemptAt, deliveredAt }: DeliveryState): StoredRow {
  const attemptLog = attempt === null ? [] : [storable(attempt)];
  return { ...subject, status, attempts: attempts + attemptLog.length, nextAttemptAt, deliveredAt, attemptLog };
}

/** Postgres stores neither NUL nor unpaired surrogates, and a cut response may have both. */
function storable(attempt: AttemptRecord): AttemptRecord {
  if (attempt.responseBody === '') return attempt;
  return { ...attempt, responseBody: Buffer.from(attempt.responseBody).toString().replaceAll('\0', '\uFFFD') };
}
