import { predecessorEventId, type Envelope } from '@holdfast/contracts/messages';
import type { Tx } from '@holdfast/postgres';
import { intentKinds, type Deps, type IntentKind } from './ports.js';

/**
 * Stores the intent of a message once, and a worker starts it. For a redelivered message the stored replies are published again
 * if the intent is closed; if it is open its worker is woken up. The message of an aborted run gets the replies to its abort.
 */
export async function storeIntentOnce(deps: Deps, message: Envelope, store: () => Promise<boolean>): Promise<void> {
  if (await store()) return;
  await deps.inTransaction(async (tx) => {
    const earlier = await deps.intents.findReplies(tx, message.id);
    const replies = earlier === undefined ? await abortReplies(deps, tx, message) : earlier.replies;
    if (replies !== undefined) await deps.republish(tx, replies);
    else tx.afterCommit(() => deps.intents.wake(message.id));
  });
}

async function abortReplies({ aborts }: Deps, tx: Tx, { sagaRunId }: Envelope): Promise<readonly Envelope[] | undefined> {
  return sagaRunId === undefined ? undefined : aborts.findReplies(tx, sagaRunId);
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
