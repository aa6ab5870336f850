import { predecessorEventId, type Envelope } from '@holdfast/contracts/messages';
import type { Outbox } from '@holdfast/messaging/outbox';
import { activeTraceparent } from '@holdfast/observability';
import { findAbortedRuns } from '@holdfast/sagas/runs';
import type { Database, Tx } from '@holdfast/postgres';
import type { IntentStore } from './intent-store.js';
import type { IntentWorker } from './intent-worker.js';
import type { NewIntent } from './intent.js';

/** The intent that a message requests; the service adds what it acts on. */
export type RequestedIntent = Omit<NewIntent, 'subject'>;

/**
 * Stores the intent of a message once, and a worker starts it. For a redelivered message the stored replies are published again
 * if the intent is closed; if it is open its worker is woken up. The message of an aborted run gets the replies to its abort.
 * `store` returns false where the intent was stored before or the run was aborted.
 */
export type StoreIntentOnce<Kind extends string> = (
  message: Envelope,
  kind: Kind,
  store: (intent: RequestedIntent) => Promise<boolean>,
) => Promise<void>;

export type StoreIntentOnceDeps<Kind extends string> = {
  readonly database: Pick<Database, 'inTransaction'>;
  readonly outbox: Pick<Outbox, 'addEnvelopes'>;
  readonly intents: Pick<IntentStore, 'findReplies'>;
  readonly worker: Pick<IntentWorker, 'wake'>;
  readonly priorities: Readonly<Record<Kind, number>>;
};

export function createStoreIntentOnce<Kind extends string>(deps: StoreIntentOnceDeps<Kind>): StoreIntentOnce<Kind> {
  return async (message, kind, store) => {
    if (await store(intentOf(message, kind, deps.priorities[kind]))) return;
    await deps.database.inTransaction(async (tx) => {
      const earlier = await deps.intents.findReplies(tx, message.id);
      const replies = earlier === undefined ? await abortReplies(tx, message) : earlier.replies;
      if (replies !== undefined) await deps.outbox.addEnvelopes(tx, replies);
      else tx.afterCommit(() => deps.worker.wake(message.id));
    });
  };
}

export function intentOf(message: Envelope, kind: string, priority: number): RequestedIntent {
  const { id, marketplaceId, correlationId, saga, sagaRunId, occurredAt: requestedAt, payload } = message;
  const afterEventId = predecessorEventId(message);
  const traceparent = activeTraceparent();
  return {
    id,
    kind,
    priority,
    marketplaceId,
    correlationId,
    ...(saga === undefined ? {} : { saga }),
    ...(sagaRunId === undefined ? {} : { sagaRunId }),
    ...(afterEventId === undefined ? {} : { afterEventId }),
    ...(traceparent === undefined ? {} : { traceparent }),
    requestedAt,
    payload,
  };
}

async function abortReplies(tx: Tx, { sagaRunId }: Envelope): Promise<readonly Envelope[] | undefined> {
  return sagaRunId === undefined ? undefined : (await findAbortedRuns(tx, [sagaRunId])).get(sagaRunId);
}
