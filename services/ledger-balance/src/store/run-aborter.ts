import { causeEventId, predecessorEventId, stepMessageIds } from '@holdfast/contracts/messages';
import type { Outbox } from '@holdfast/messaging/outbox';
import { abortRun } from '@holdfast/sagas/runs';
import type { Database } from '@holdfast/postgres';
import type { Deps } from '../use-cases/ports.js';
import { findHandled } from './sql/find-handled.js';

const consumer = 'ledger-balance';

/** Commits the aborts of saga runs. No account is locked: the command of an aborted run finds it when it is posted. */
export function runAborter(database: Pick<Database, 'inTransaction'>, outbox: Outbox): Deps['abortRun'] {
  return (message, { commandId, reply }) => {
    const { marketplaceId, correlationId, type, occurredAt, saga, sagaRunId } = message;
    const { declaration, ...fields } = reply;
    const id = stepMessageIds({ cause: sagaRunId ?? message.id, name: type, at: occurredAt })(declaration.type);
    const cause = { causationId: causeEventId(message), afterEventId: predecessorEventId(message) };
    const run = { ...(saga === undefined ? {} : { saga }), ...(sagaRunId === undefined ? {} : { sagaRunId }) };
    const frame = { ...cause, ...run, id, marketplaceId, correlationId };
    return database.inTransaction((tx) =>
      abortRun(tx, outbox, {
        consumer,
        message,
        isTaken: async () => (await tx.query(findHandled, [consumer, commandId])).length > 0,
        publish: () => Promise.resolve(outbox.add(tx, declaration, { ...fields, ...frame })),
      }),
    );
  };
}
