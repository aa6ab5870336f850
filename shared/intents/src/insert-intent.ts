import { activeTraceparent } from '@holdfast/observability';
import { insertMany, propertiesBut, type Tx } from '@holdfast/postgres';
import { intentColumns, type IntentRow } from './intent-columns.js';
import type { IntentWorker } from './intent-worker.js';
import type { NewIntent } from './intent.js';

type NewIntentRow = Omit<IntentRow, 'workerState' | 'attempts' | 'leaseToken' | 'createdAt'>;

const insertIntents = insertMany({
  name: 'insert-intents',
  table: 'intents',
  columns: intentColumns,
  properties: propertiesBut(intentColumns, ['workerState', 'attempts', 'leaseToken', 'createdAt']),
  // An intent that exists already is the same request.
  suffix: 'on conflict (id) do nothing',
});

/**
 * Stores an intent in the transaction of the change that needs it. The worker of this process claims it after the commit. The
 * transaction holds the row of the aggregate or of the inbox, so that two of them never store the same intent at the same time.
 */
export function insertIntent(worker: () => Pick<IntentWorker, 'wake'>) {
  return (tx: Tx, intent: NewIntent): void => {
    tx.defer(insertIntents([toRow(intent)]));
    tx.afterCommit(() => worker().wake(intent.id));
  };
}

function toRow({ saga, sagaRunId, afterEventId, traceparent = activeTraceparent(), ...intent }: NewIntent): NewIntentRow {
  return {
    ...intent,
    saga: saga ?? null,
    sagaRunId: sagaRunId ?? null,
    afterEventId: afterEventId ?? null,
    traceparent: traceparent ?? null,
  };
}
