import { predecessorEventId, type Envelope } from '@holdfast/contracts/messages';
import { intentKinds, type Deps, type IntentKind } from './ports.js';

/**
 * Stores the intent of a message once, and a worker starts it. For a redelivered message the stored replies are published again
 * if the intent is closed; if it is open its worker is woken up.
 */
export async function storeIntentOnce(deps: Deps, message: Envelope, store: () => Promise<boolean>): Promise<void> {
  if (await store()) return;
  await deps.inTransaction(async (tx) => {
    const earlier = await deps.intents.findReplies(tx, message.id);
    if (earlier?.replies !== undefined) await deps.republish(tx, earlier.replies);
    else tx.afterCommit(() => deps.intents.wake(message.id));
  });
}

export function intentOf(message: Envelope, kind: IntentKind) {
  const { id, marketplaceId, correlationId, saga, sagaRunId, occurredAt: requestedAt, payload } = message;
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
    requestedAt,
    payload,
  };
}
