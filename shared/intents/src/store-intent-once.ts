import { predecessorEventId, type Envelope } from '@holdfast/contracts/messages';
import { published, type Published } from '@holdfast/contracts/sagas';
import { recordIfNew } from '@holdfast/messaging/inbox';
import type { Outbox } from '@holdfast/messaging/outbox';
import { findAbortedRuns } from '@holdfast/sagas/runs';
import type { Database, Tx } from '@holdfast/postgres';
import { insertIntent } from './insert-intent.js';
import type { IntentStore } from './intent-store.js';
import type { IntentWorker } from './intent-worker.js';
import type { NewIntent } from './intent.js';

/**
 * Stores the intent of a message once, with its inbox row, and a worker starts it. For a redelivered message the stored replies are
 * published again if the intent is closed; if it is open its worker is woken up. The message of an aborted run gets the replies to
 * its abort. The worker publishes the replies later. `subjectOf` returns what the intent acts on, and may write it in the same transaction.
 */
export type StoreIntentOnce<Kind extends string> = (
  message: Envelope,
  kind: Kind,
  subjectOf: (tx: Tx) => Promise<string>,
) => Promise<Published>;

export type StoreIntentOnceDeps<Kind extends string> = {
  readonly database: Pick<Database, 'inTransaction'>;
  readonly outbox: Pick<Outbox, 'republish'>;
  readonly intents: Pick<IntentStore, 'findReplies'>;
  readonly worker: Pick<IntentWorker, 'wake'>;
  readonly consumer: string;
  readonly priorities: Readonly<Record<Kind, number>>;
};

export function createStoreIntentOnce<Kind extends string>(deps: StoreIntentOnceDeps<Kind>): StoreIntentOnce<Kind> {
  const { database, outbox, intents, worker, consumer, priorities } = deps;
  const insert = insertIntent(() => worker);
  return async (message, kind, subjectOf) => {
    await database.inTransaction(async (tx) => {
      // First, because it waits for an abort of the run that is not committed yet.
      const aborted = await abortReplies(tx, message);
      // An intent outlives its inbox row, which is pruned.
      const stored = await intents.findReplies(tx, message.id);
      const replies = stored === undefined ? aborted : stored.replies;
      if (replies !== undefined) return outbox.republish(tx, replies);
      const isNew = stored === undefined && (await recordIfNew(tx, consumer, message.id));
      if (isNew) insert(tx, { ...intentOf(message, kind, priorities[kind]), subject: await subjectOf(tx) });
      else tx.afterCommit(() => worker.wake(message.id));
    });
    return published;
  };
}

function intentOf(message: Envelope, kind: string, priority: number): Omit<NewIntent, 'subject'> {
  const { id, marketplaceId, correlationId, saga, sagaRunId, occurredAt: requestedAt, payload } = message;
  const afterEventId = predecessorEventId(message);
  return {
    id,
    kind,
    priority,
    marketplaceId,
    correlationId,
    ...(saga === undefined ? {} : { saga }),
    ...(sagaRunId === undefined ? {} : { sagaRunId }),
    ...(afterEventId === undefined ? {} : { afterEventId }),
    requestedAt,
    payload,
  };
}

async function abortReplies(tx: Tx, { sagaRunId }: Envelope): Promise<readonly Envelope[] | undefined> {
  return sagaRunId === undefined ? undefined : (await findAbortedRuns(tx, [sagaRunId])).get(sagaRunId);
}
