import { systemClock } from '@holdfast/kernel/context';
import { defaultMarketplaceId, idFactory, type SagaRunId } from '@holdfast/kernel/ids';
import type { Database, Tx } from '@holdfast/postgres';
import type { SagaOutcome, SagaRuns } from '../index.js';

type InTransaction = Pick<Database, 'inTransaction'>;

export const newId = idFactory(systemClock().epochMs);
export const aRun = { saga: 'reserve', aggregateId: 'ord_1', marketplaceId: defaultMarketplaceId, correlationId: 'req-1' };

/** Commits what `write` adds to a transaction. */
export function within(database: InTransaction, write: (tx: Tx) => void): Promise<void> {
  return database.inTransaction((tx) => {
    write(tx);
    return Promise.resolve();
  });
}

export async function startRun(database: InTransaction, sagaRuns: SagaRuns, saga = aRun.saga): Promise<SagaRunId> {
  const id = newId('run');
  await within(database, (tx) => sagaRuns.startAll(tx, [{ ...aRun, saga, id }]));
  return id;
}

type Ending = { readonly runId: SagaRunId; readonly outcome: SagaOutcome };

export function closeRun(database: InTransaction, sagaRuns: SagaRuns, ending: Ending): Promise<void> {
  return within(database, (tx) => sagaRuns.closeAllWithCommit(tx, [ending]));
}
