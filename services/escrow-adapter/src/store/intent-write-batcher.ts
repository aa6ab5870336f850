import { createCommitBatcher } from '@holdfast/messaging/batching';
import { inPresentSpan } from '@holdfast/observability';
import type { Database, Tx } from '@holdfast/postgres';
import type { Deps, IntentWrite } from '../use-cases/ports.js';
import { lockWithIntents } from './contract-store.js';
import { createUnitOfWork, type UnitOfWorkDeps } from './unit-of-work.js';

type Options = UnitOfWorkDeps & { readonly database: Pick<Database, 'inTransaction'> };

const batchLimits = { sizeMax: 32, batchDelayMs: 10, inFlightMax: 4, waitingMax: 10_000 };
const committed = { status: 'fulfilled', value: undefined } as const;

/** Batches the writes of several intents into one commit. */
export function createIntentWriteBatcher({ database, ...deps }: Options): Deps['commit'] {
  const { submit } = createCommitBatcher<IntentWrite, undefined>({
    ...batchLimits,
    commit: async (writes, { mayBeCommitted }) => {
      await database.inTransaction(async (tx) => {
        const missing = mayBeCommitted ? await withoutCommitted(tx, writes) : writes;
        await writeAll(tx, missing, deps);
      });
      return writes.map(() => committed);
    },
    keyOf: ({ intent }) => intent.id,
  });
  // The messages of a write belong to the trace of its intent, not to the batch.
  return (write) => submit({ ...write, write: inPresentSpan(write.write) });
}

async function withoutCommitted(tx: Tx, writes: readonly IntentWrite[]): Promise<readonly IntentWrite[]> {
  const isCommitted = await Promise.all(writes.map((write) => write.isCommitted(tx)));
  return writes.filter((_, index) => isCommitted[index] === false);
}

/** Intents are locked first, in the order of their ids. A lost lease rolls the batch back; then each write is retried alone. */
async function writeAll(tx: Tx, writes: readonly IntentWrite[], deps: UnitOfWorkDeps): Promise<void> {
  const contractOf = await lockWithIntents(
    tx,
    writes.map(({ intent }) => intent),
  );
  const { unit, flush } = createUnitOfWork(tx, deps);
  await Promise.all(writes.map(async ({ intent, write }) => write(unit, contractOf(intent))));
  await flush();
}
