import type { Outbox } from '@holdfast/messaging/outbox';
import { abortRun } from '@holdfast/messaging/saga-runs';
import type { Database } from '@holdfast/postgres';
import type { Deps } from '../use-cases/ports.js';
import { findHandled } from './sql/find-handled.js';

const consumer = 'ledger-balance';

/** Commits the aborts of saga runs. No account is locked: the command of an aborted run finds it when it is posted. */
export function runAborter(database: Pick<Database, 'inTransaction'>, outbox: Outbox): Deps['abortRun'] {
  return (message, { commandId, reply }) => {
    const { marketplaceId, correlationId, id: causationId, saga, sagaRunId, afterEventId } = message;
    const { declaration, ...fields } = reply;
    const frame = { marketplaceId, correlationId, causationId, step: declaration.type };
    const run = {
      ...(saga === undefined ? {} : { saga }),
      ...(sagaRunId === undefined ? {} : { sagaRunId }),
      ...(afterEventId === undefined ? {} : { afterEventId }),
    };
    return database.inTransaction((tx) =>
      abortRun(tx, outbox, {
        consumer,
        message,
        isTaken: async () => (await tx.query(findHandled, [consumer, commandId])).length > 0,
        publish: () => Promise.resolve(outbox.add(tx, declaration, { ...fields, ...frame, ...run })),
      }),
    );
  };
}
