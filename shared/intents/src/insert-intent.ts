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
  suffix: 'on conflict (id) do nothing returning id',
});

type WakesWorker = () => Pick<IntentWorker, 'wake'>;

/** Stores an intent in the transaction of the change that needs it. The worker of this process claims it after the commit. */
export function insertIntent(worker: WakesWorker) {
  return (tx: Tx, intent: NewIntent): void => {
    tx.defer(insertIntents([toRow(intent)]));
    tx.afterCommit(() => worker().wake(intent.id));
  };
}

/** Like `insertIntent`, for a request that must know whether the intent is new. */
export function insertIntentIfNew(worker: WakesWorker) {
  return async (tx: Tx, intent: NewIntent): Promise<boolean> => {
    const inserted = await tx.query(insertIntents([toRow(intent)]));
    tx.afterCommit(() => worker().wake(intent.id));
    return inserted.length === 1;
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
