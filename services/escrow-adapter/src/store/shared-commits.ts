import { createCommitBatcher } from '@holdfast/shared/batching';
import type { Clock } from '@holdfast/shared/context';
import type { Database, Tx } from '@holdfast/shared/postgres';
import { lockLeases } from '../lanes/index.js';
import type { Deps, IntentWrite } from '../use-cases/ports.js';
import { createUnitOfWork } from './unit-of-work.js';

type Options = { readonly database: Pick<Database, 'inTransaction'>; readonly clock: Pick<Clock, 'now'> };

const batchLimits = { sizeMax: 32, delayMs: 10, inFlightMax: 4, waitingMax: 10_000 };
const committed = { status: 'fulfilled', value: undefined } as const;

/** Intents are worked on independently of each other; what is written about several of them at the same time shares a commit. */
export function shareCommits({ database, clock }: Options): Deps['commit'] {
  const { submit } = createCommitBatcher<IntentWrite, undefined>({
    ...batchLimits,
    commit: async (writes, { mayBeCommitted }) => {
      await database.inTransaction(async (tx) => {
        const missing = mayBeCommitted ? await withoutCommitted(tx, writes) : writes;
        await writeAll(tx, missing, clock);
      });
      return writes.map(() => committed);
    },
    keyOf: ({ intent }) => intent.id,
  });
  return submit;
}

async function withoutCommitted(tx: Tx, writes: readonly IntentWrite[]): Promise<readonly IntentWrite[]> {
  const isCommitted = await Promise.all(writes.map((write) => write.isCommitted(tx)));
  return writes.filter((_, index) => isCommitted[index] === false);
}

/**
 * Leases come first, so that everybody locks intents before anything else, in the order of their ids. A lost one undoes the whole
 * commit.
 */
async function writeAll(tx: Tx, writes: readonly IntentWrite[], clock: Pick<Clock, 'now'>): Promise<void> {
  const { unit, flush } = createUnitOfWork(tx, clock);
  const leases = writes.flatMap(({ intent, needsLease }) => (needsLease ? [intent] : []));
  await Promise.all([lockLeases(tx, leases), ...writes.map(({ write }) => write(unit))]);
  await flush();
}
