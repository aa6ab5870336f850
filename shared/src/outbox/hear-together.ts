import { createBatcher } from '../batching/index.js';
import type { Envelope } from '../contracts/messages/index.js';
import { AppError } from '../errors/index.js';
import type { Database, Tx } from '../postgres/index.js';
import { inboxOf } from './inbox.js';

export type HearTogetherOptions<Payload> = {
  readonly database: Pick<Database, 'inTransaction'>;
  readonly consumer: string;
  /** All that have not been heard before, in the order of arrival; what it does and their inbox rows commit together. */
  readonly handle: (tx: Tx, messages: readonly Envelope<Payload>[]) => Promise<void>;
};

const messagesMax = 256;
const waitingMax = 10_000;

/**
 * A handler that shares one commit among the messages that arrive together. Where a batch fails its members are tried one by
 * one, so that a bad message fails alone.
 */
export function hearTogether<Payload>(options: HearTogetherOptions<Payload>): (message: Envelope<Payload>) => Promise<void> {
  const batcher = createBatcher<Envelope<Payload>, undefined>({
    run: (messages) => hearOrSplit(options, messages),
    sizeMax: messagesMax,
    waitMs: 'until full',
    inFlightMax: 1,
    waitingMax,
    overflow: () => new AppError('SERVICE_UNAVAILABLE'),
  });
  return batcher.submit;
}

async function hearOrSplit<Payload>(
  options: HearTogetherOptions<Payload>,
  messages: readonly Envelope<Payload>[],
): Promise<readonly PromiseSettledResult<undefined>[]> {
  try {
    await hear(options, messages);
    return messages.map(() => ({ status: 'fulfilled', value: undefined }));
  } catch (reason) {
    if (messages.length === 1) return [{ status: 'rejected', reason }];
  }
  const results: PromiseSettledResult<undefined>[] = [];
  for (const message of messages) results.push(...(await hearOrSplit(options, [message])));
  return results;
}

async function hear<Payload>(
  { database, consumer, handle }: HearTogetherOptions<Payload>,
  messages: readonly Envelope<Payload>[],
): Promise<void> {
  const inbox = inboxOf(consumer);
  const distinct = new Map(messages.map((message) => [message.id, message]));
  await database.inTransaction(async (tx) => {
    const added = await inbox.noteNew(tx, [...distinct.keys()]);
    const fresh = [...distinct.values()].filter(({ id }) => added.has(id));
    if (fresh.length > 0) await handle(tx, fresh);
  });
}
