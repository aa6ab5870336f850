import { predecessorEventId, type Envelope } from '@holdfast/contracts/messages';
import { published, type Published } from '@holdfast/contracts/sagas';
import type { Outbox } from '@holdfast/messaging/outbox';
import type { Database, Tx } from '@holdfast/postgres';
import type { IntentStore } from './intent-store.js';
import type { IntentWorker } from './intent-worker.js';
import type { NewIntent } from './intent.js';
import type { Slot } from './slots.js';

/** What an intent acts on. */
export type IntentSubject<Subject> = {
  readonly id: string;
  /** The part of it that the intent acts on. Absent: all of it. */
  readonly part?: string;
  /** What the transaction knows of it; the run that follows need not read it again. */
  readonly value?: Subject;
  /** Writes it in the transaction that stores the intent. */
  readonly insert?: (tx: Tx) => void;
};

/**
 * Stores the intent of a message once, with its inbox row. This process holds its lease from the commit on and starts it; without room it
 * leaves it to whichever process claims it first. For a redelivered message the stored replies are published again if the intent is
 * closed; if it is open its worker is woken up. The message of an aborted run gets the replies to its abort. The worker publishes the
 * replies later.
 */
export type StoreIntentOnce<Kind extends string, Subject = never> = (
  message: Envelope,
  kind: Kind,
  subjectOf: (tx: Tx) => Promise<IntentSubject<Subject>>,
) => Promise<Published>;

export type StoreIntentOnceDeps<Kind extends string, Subject = never> = {
  readonly database: Pick<Database, 'inTransaction'>;
  readonly outbox: Pick<Outbox, 'republish'>;
  readonly intents: Pick<IntentStore, 'findEarlier' | 'insertOnce'>;
  readonly worker: Pick<IntentWorker<Subject>, 'wake' | 'reserve'>;
  readonly consumer: string;
  readonly priorities: Readonly<Record<Kind, number>>;
};

export function createStoreIntentOnce<Kind extends string, Subject = never>(
  deps: StoreIntentOnceDeps<Kind, Subject>,
): StoreIntentOnce<Kind, Subject> {
  const { database, outbox, intents, worker, priorities } = deps;
  return async (message, kind, subjectOf) => {
    const slot = worker.reserve();
    const store = async (tx: Tx): Promise<void> => {
      const { isStored, replies } = await intents.findEarlier(tx, message);
      if (replies !== undefined) return outbox.republish(tx, replies);
      if (isStored) {
        tx.afterCommit(() => leaveToWorker(deps, message.id, slot));
        return;
      }
      const subject = await subjectOf(tx);
      const intent = intentOf(message, kind, priorities[kind]);
      const part = subject.part === undefined ? {} : { subjectPart: subject.part };
      await insert(deps, tx, { intent: { ...intent, subject: subject.id, ...part }, subject, slot });
    };
    try {
      await database.inTransaction(store);
    } finally {
      slot?.giveBack();
    }
    return published;
  };
}

type Insertion<Subject> = {
  readonly intent: NewIntent;
  readonly subject: IntentSubject<Subject>;
  readonly slot: Slot<Subject> | undefined;
};

/** Of two deliveries at the same time one inserts nothing, and wakes the worker up. */
async function insert<Kind extends string, Subject>(
  deps: StoreIntentOnceDeps<Kind, Subject>,
  tx: Tx,
  { intent, subject, slot }: Insertion<Subject>,
): Promise<void> {
  const { intents, consumer } = deps;
  const inserted = await intents.insertOnce(tx, consumer, intent, slot !== undefined);
  if (inserted !== undefined) subject.insert?.(tx);
  tx.afterCommit(() => {
    if (inserted === undefined || slot === undefined) leaveToWorker(deps, intent.id, slot);
    else slot.start(inserted, subject.value);
  });
}

/** The slot is given back first, because the worker needs room for what it claims. */
function leaveToWorker<Subject>(
  { worker }: { readonly worker: Pick<IntentWorker<Subject>, 'wake'> },
  intentId: string,
  slot: Slot<Subject> | undefined,
): void {
  slot?.giveBack();
  worker.wake(intentId);
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
