import type { IntentStore } from '@holdfast/intents';
import type { Database } from '@holdfast/postgres';
import type { Deps } from '../use-cases/ports.js';
import { createUnitOfWork, type UnitOfWorkDeps } from './unit-of-work.js';

type Options = UnitOfWorkDeps & {
  readonly database: Pick<Database, 'inTransaction'>;
  readonly intents: Pick<IntentStore, 'close'>;
};

/**
 * A payout has no contract that must be locked with its intent. If the outcome of the commit is unknown, the next run finds the
 * intent closed or finds the landed transaction.
 */
export function payoutWriter({ database, intents, ...deps }: Options): Deps['closePayout'] {
  return (intent, write) =>
    database.inTransaction(async (tx) => {
      const { unit, flush } = createUnitOfWork(tx, deps);
      await intents.close(tx, intent, { replies: [write(unit)], at: deps.clock.now() });
      await flush();
    });
}
