import type { Envelope } from '@holdfast/contracts/messages';
import { AppError } from '@holdfast/kernel/errors';
import type { Database, Tx } from '@holdfast/postgres';
import { createBatcher } from '../batching/index.js';
import { inboxOf } from './inbox.js';

export type BatchHandlerOptions<Payload> = {
  readonly database: Pick<Database, 'inTransaction'>;
  readonly consumer: string;
  /** Receives the messages that were not handled before, in the order of arrival. Its writes and their inbox rows share a commit. */
  readonly handle: (tx: Tx, messages: readonly Envelope<Payload>[]) => Promise<void>;
};

const messagesMax = 256;
const waitingMax = 10_000;

/**
 * A handler that handles concurrent messages in one transaction. When a batch fails, its messages are handled one by one, so that a
 * bad message fails alone.
 */
export function handleInBatches<Payload>(options: BatchHandlerOptions<Payload>): (message: Envelope<Payload>) => Promise<void> {
  const batcher = createBatcher<Envelope<Payload>, undefined>({
    run: (messages) => handleOrSplit(options, messages),
    sizeMax: messagesMax,
    batchDelayMs: 'until full',
    inFlightMax: 1,
    waitingMax,
    overflow: () => new AppError('SERVICE_UNAVAILABLE'),
  });
  return batcher.submit;
}

async function handleOrSplit<Payload>(
  options: BatchHandlerOptions<Payload>,
  messages: readonly Envelope<Payload>[],
): Promise<readonly PromiseSettledResult<undefined>[]> {
  try {
    await handleBatch(options, messages);
    return messages.map(() => ({ status: 'fulfilled', value: undefined }));
  } catch (reason) {
    if (messages.length === 1) return [{ status: 'rejected', reason }];
  }
  const results: PromiseSettledResult<undefined>[] = [];
  for (const message of messages) results.push(...(await handleOrSplit(options, [message])));
  return results;
}

async function handleBatch<Payload>(
  { database, consumer, handle }: BatchHandlerOptions<Payload>,
  messages: readonly Envelope<Payload>[],
): Promise<void> {
  const inbox = inboxOf(consumer);
  const distinct = new Map(messages.map((message) => [message.id, message]));
  await database.inTransaction(async (tx) => {
    const added = await inbox.recordNew(tx, [...distinct.keys()]);
    const fresh = [...distinct.values()].filter(({ id }) => added.has(id));
    if (fresh.length > 0) await handle(tx, fresh);
  });
}
