import { OutcomeUnknown, type Database, type Tx } from '@holdfast/postgres';
import { insertIntent, insertIntentValues, type LeaseTerms } from './insert-intent.js';
import type { IntentRow } from './intent-columns.js';
import type { IntentWorker } from './intent-worker.js';
import type { NewIntent } from './intent.js';
import { storeAndStart, type StoredIntents } from './store-and-start.js';

/** Stores an intent. False where it was stored before, or where its saga run was aborted. */
export type AddIntent = (intent: NewIntent) => Promise<boolean>;

/** Runs a transaction that stores intents together with other changes. They are started after its commit. */
export type InIntentTransaction = <Result>(work: (tx: Tx, add: AddIntent) => Promise<Result>) => Promise<Result>;

export type IntentTransactionsDeps = {
  readonly database: Pick<Database, 'inTransaction'>;
  readonly worker: Pick<IntentWorker, 'reserve' | 'wake'>;
  readonly lease: LeaseTerms;
};

/** Most transactions store one intent. Further ones are stored without a lease, and the worker claims them. */
const leasedMaxPerTransaction = 1;

export function intentTransactions(deps: IntentTransactionsDeps): InIntentTransaction {
  return (work) => storeAndStart(deps.worker, leasedMaxPerTransaction, (leasedMax) => runTransaction(deps, leasedMax, work));
}

async function runTransaction<Result>(
  { database, worker, lease }: IntentTransactionsDeps,
  leasedMax: number,
  work: (tx: Tx, add: AddIntent) => Promise<Result>,
): Promise<StoredIntents<Result>> {
  const added = new Set<string>();
  try {
    return await database.inTransaction(async (tx) => {
      const rows: IntentRow[] = [];
      const add: AddIntent = async (intent) => {
        added.add(intent.id);
        const stored = await tx.query<IntentRow>(insertIntent, insertIntentValues(intent, rows.length < leasedMax, lease));
        rows.push(...stored);
        return stored.length > 0;
      };
      return { result: await work(tx, add), rows };
    });
  } catch (error) {
    // They may be stored with a lease of this process; no other process would claim them before it expires.
    if (error instanceof OutcomeUnknown) for (const id of added) worker.wake(id);
    throw error;
  }
}
