import { inboxColumns } from '@holdfast/messaging/inbox';
import { activeTraceparent } from '@holdfast/observability';
import { insertMany, propertiesBut, selectList, unnestRows, type BoundStatement } from '@holdfast/postgres';
import { intentColumns, type IntentRow } from './intent-columns.js';
import type { NewIntent } from './intent.js';

type NewIntentRow = Omit<IntentRow, 'workerState' | 'attempts' | 'leaseToken' | 'createdAt'>;

const properties = propertiesBut(intentColumns, ['workerState', 'attempts', 'leaseToken', 'createdAt']);

export const insertIntents = insertMany({
  name: 'insert-intents',
  table: 'intents',
  columns: intentColumns,
  properties,
  // An intent that exists already is the same request.
  suffix: 'on conflict (id) do nothing',
});

const messages = unnestRows(inboxColumns, undefined, { name: 'message' });
const newIntents = unnestRows(intentColumns, properties, { parametersBefore: messages.lastParameter });
const [owner, token, seconds] = [1, 2, 3].map((position) => `$${(newIntents.lastParameter + position).toString()}`);

/** The lease begins now, not when the transaction did: it may have waited for the lock of its saga run. */
const insertOnce = {
  name: 'insert-intent-of-message',
  text: `
  with recorded as (
    insert into inbox (${messages.columns})
    select ${messages.values}
    from ${messages.from}
    on conflict do nothing
    returning message_id
  )
  insert into intents (${newIntents.columns}, lease_owner, lease_token, lease_until)
  select ${newIntents.values}, ${owner}, ${token}, clock_timestamp() + make_interval(secs => ${seconds})
  from ${newIntents.from}
  join recorded
    on recorded.message_id = given.id
  on conflict (id) do nothing
  returning ${selectList(intentColumns, 'intents')}`,
};

/** The first lease of an intent, for the process that stores it. */
export type FirstLease = { readonly owner: string; readonly seconds: number };

/**
 * Stores the intent of a message with its inbox row, and its first lease where one is given. Returns no row if the message was handled
 * before. A concurrent transaction with the same message blocks here until this one ends.
 */
export function insertIntentOnce(consumer: string, intent: NewIntent, lease: FirstLease | undefined): BoundStatement {
  const claimed = lease === undefined ? [null, 0, null] : [lease.owner, 1, lease.seconds];
  const message = { consumer, messageId: intent.id };
  return { ...insertOnce, values: [...messages.valuesOf([message]), ...newIntents.valuesOf([toRow(intent)]), ...claimed] };
}

export function toRow(given: NewIntent): NewIntentRow {
  const { subjectPart, saga, sagaRunId, afterEventId, traceparent = activeTraceparent(), ...intent } = given;
  return {
    ...intent,
    subjectPart: subjectPart ?? '',
    saga: saga ?? null,
    sagaRunId: sagaRunId ?? null,
    afterEventId: afterEventId ?? null,
    traceparent: traceparent ?? null,
  };
}
