import type { Tx } from '@holdfast/postgres';
import type { IntentWorker } from './intent-worker.js';
import type { NewIntent } from './intent.js';
import { insertIntents, toRow } from './new-intent-sql.js';

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
