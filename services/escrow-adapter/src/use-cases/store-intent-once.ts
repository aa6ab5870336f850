import { predecessorEventId, type Envelope } from '@holdfast/contracts/messages';
import { intentKinds, type Deps, type IntentKind } from './ports.js';

/**
 * Stores what a message asks for, once; a worker begins with it. For a repeat of the message the same outcome is published again
 * where the intent is closed; where it is open a worker has a look at it now.
 */
export async function storeIntentOnce(deps: Deps, message: Envelope, store: () => Promise<boolean>): Promise<void> {
  if (await store()) return;
  await deps.inTransaction(async (tx) => {
    const earlier = await deps.intents.findReplies(tx, message.id);
    if (earlier?.replies !== undefined) await deps.republish(tx, earlier.replies);
    else tx.afterCommit(() => deps.intents.wake(message.id));
  });
}

/** The intent that a message asks for. */
export function intentOf(message: Envelope, kind: IntentKind) {
  const { id, marketplaceId, correlationId, saga, sagaRunId, payload } = message;
  const afterEventId = predecessorEventId(message);
  return {
    id,
    kind,
    priority: intentKinds[kind],
    marketplaceId,
    correlationId,
    ...(saga === undefined ? {} : { saga }),
    ...(sagaRunId === undefined ? {} : { sagaRunId }),
    ...(afterEventId === undefined ? {} : { afterEventId }),
    payload,
  };
}
