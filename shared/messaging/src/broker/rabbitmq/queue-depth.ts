import type { QueueDepth } from '../broker.js';
import type { Connection } from './connection-manager.js';
import type { Names } from './names.js';

type Queues = { readonly queue: string; readonly names: Names; readonly retryDelaysMs: readonly number[] };

/** Uses its own channel, because the broker closes the channel if a queue does not exist. Unacknowledged messages do not count. */
export async function readQueueDepth({ model }: Connection, { queue, names, retryDelaysMs }: Queues): Promise<QueueDepth> {
  const channel = await model.createChannel();
  channel.on('error', () => undefined); // the check that caused it rejects with the same error
  const countOf = async (name: string): Promise<number> => (await channel.checkQueue(name)).messageCount;
  const retries = await Promise.all(retryDelaysMs.map((delayMs) => countOf(names.retry(queue, delayMs))));
  const [work, parking] = await Promise.all([countOf(names.queue(queue)), countOf(names.parked(queue))]);
  await channel.close();
  return { work, retry: retries.reduce((sum, count) => sum + count, 0), parking };
}
