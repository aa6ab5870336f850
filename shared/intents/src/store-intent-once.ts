import { predecessorEventId, type Envelope } from '@holdfast/contracts/messages';
import { published, type Published } from '@holdfast/contracts/sagas';
import type { Outbox } from '@holdfast/messaging/outbox';
import { activeTraceparent } from '@holdfast/observability';
import { commitStatement, type Database } from '@holdfast/postgres';
import type { IntentStore, StoredIntent } from './intent-store.js';
import type { IntentSubject } from './intent-subject.js';
import type { IntentWorker } from './intent-worker.js';
import type { NewIntent } from './intent.js';
import type { Slot } from './slots.js';

/**
 * Stores the intent of a message once, on the first of the subjects that is found. One statement does it, and the unique keys of intents
 * decide. This process holds the lease from the commit on and starts the intent; without room it leaves it to whichever process claims it first.
 * For a redelivered message the stored replies are published again if the intent is closed; if it is open its worker is woken up. The
 * message of an aborted run gets the replies to its abort. The worker publishes the replies later.
 */
export type StoreIntentOnce<Kind extends string, Subject = never> = (
  message: Envelope,
  kind: Kind,
  subjects: readonly IntentSubject<Subject | undefined>[],
) => Promise<Published>;

export type StoreIntentOnceDeps<Kind extends string, Subject = never> = {
  readonly database: Pick<Database, 'pool' | 'inTransaction'>;
  readonly outbox: Pick<Outbox, 'republish'>;
  readonly intents: Pick<IntentStore, 'findEarlier' | 'insertOnce'>;
  readonly worker: Pick<IntentWorker<Subject>, 'wake' | 'reserve'>;
  readonly priorities: Readonly<Record<Kind, number>>;
};

export function createStoreIntentOnce<Kind extends string, Subject = never>(
  deps: StoreIntentOnceDeps<Kind, Subject>,
): StoreIntentOnce<Kind, Subject> {
  const { worker, priorities } = deps;
  return async (message, kind, subjects) => {
    const slot = worker.reserve();
    try {
      const intent = intentOf(message, kind, priorities[kind]);
      const stored = await storeOnFirst(deps, intent, { subjects, isClaimed: slot !== undefined });
      if (stored === undefined) await repeat(deps, message, kind, slot);
      else if (slot === undefined) worker.wake(message.id);
      else slot.start(stored.intent, stored.value);
    } finally {
      slot?.giveBack();
    }
    return published;
  };
}

type Subjects<Subject> = {
  readonly subjects: readonly IntentSubject<Subject | undefined>[];
  readonly isClaimed: boolean;
};

async function storeOnFirst<Subject>(
  { database, intents }: Pick<StoreIntentOnceDeps<string, Subject>, 'database' | 'intents'>,
  intent: Omit<NewIntent, 'subject'>,
  { subjects, isClaimed }: Subjects<Subject>,
): Promise<StoredIntent<Subject | undefined> | undefined> {
  for (const subject of subjects) {
    const { lock } = subject;
    const stored =
      lock === undefined
        ? await intents.insertOnce((statement) => commitStatement(database.pool, statement), { intent, subject, isClaimed })
        : await database.inTransaction(async (tx) => {
            await lock(tx);
            return intents.insertOnce(tx.query, { intent, subject, isClaimed });
          });
    if (stored !== undefined) return stored;
  }
  return undefined;
}

/** What the message, or the abort of its run, had as an effect before. Without any, it is redelivered until its subject is there and free. */
async function repeat(
  { database, outbox, intents, worker }: Omit<StoreIntentOnceDeps<string>, 'priorities'>,
  message: Envelope,
  kind: string,
  slot: Slot | undefined,
): Promise<void> {
  // The worker needs room for what it claims.
  slot?.giveBack();
  const earlier = await intents.findEarlier(message);
  if (earlier === undefined)
    throw new Error(`The intent of ${message.id} (${kind}) cannot be stored: its subject is missing, or has an open one.`);
  const { id, replies } = earlier;
  if (replies === undefined) worker.wake(id);
  else await database.inTransaction((tx) => outbox.republish(tx, replies));
}

function intentOf(message: Envelope, kind: string, priority: number): Omit<NewIntent, 'subject'> {
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
