import type { IntentRow } from './intent-columns.js';
import { toIntent } from './intent-store.js';
import type { IntentWorker } from './intent-worker.js';
import type { Intent } from './intent.js';

/** The owner and duration of a worker's leases. */
export type LeaseTerms = { readonly owner: string; readonly seconds: number };

export type StoredIntents<Result> = { readonly rows: readonly IntentRow[]; readonly result: Result };

/**
 * Reserves slots of the worker while `store` stores new intents, with leases for up to `leasedMax` of them. The leased ones are
 * started at once, without a claim; for the others the worker is woken up.
 */
export async function storeAndStart<Result>(
  worker: Pick<IntentWorker, 'reserve' | 'wake'>,
  countMax: number,
  store: (leasedMax: number) => Promise<StoredIntents<Result>>,
): Promise<Result> {
  const slots = worker.reserve(countMax);
  let leased: readonly Intent[] = [];
  try {
    const { rows, result } = await store(slots.count);
    leased = rows.filter(({ leaseToken }) => leaseToken > 0).map(toIntent);
    for (const { id, leaseToken } of rows) if (leaseToken === 0) worker.wake(id);
    return result;
  } finally {
    slots.start(leased);
  }
}
