import { setTimeout as pause } from 'node:timers/promises';
import { connect, type ConfirmChannel, type ConsumeMessage } from 'amqplib';
import { eventually } from '../eventually/index.js';

/** Something between a queue and its service that changes the order of the messages. */
export type MessageReordering = {
  /** Lets everything pass again. Resolves to how many AMQP messages were held back. */
  readonly end: () => Promise<number>;
};

/** Above that of the service's own consumer, so that the queue delivers here first. */
const priority = 10;
const unackedMax = 10_000;

/** Again and again holds back what comes within the time, and then passes it on in reverse order. */
export async function startMessageReordering(url: string, service: string, windowMs: number): Promise<MessageReordering> {
  const connection = await connect(url);
  const channel = await connection.createConfirmChannel();
  await channel.prefetch(unackedMax);
  const ending = new AbortController();
  const running = reorderUntil(ending.signal, channel, `holdfast.${service}`, windowMs);
  return {
    end: async () => {
      ending.abort();
      const count = await running;
      await connection.close();
      return count;
    },
  };
}

async function reorderUntil(signal: AbortSignal, channel: ConfirmChannel, queue: string, windowMs: number): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    const collected = await collect(channel, queue, windowMs);
    count += collected.length;
    for (const { content, properties } of collected.reverse()) channel.sendToQueue(queue, content, properties);
    await channel.waitForConfirms();
    for (const message of collected) channel.ack(message);
    await eventually(async () => {
      if ((await channel.checkQueue(queue)).messageCount > 0) throw new Error('the service has not taken everything yet');
    });
  }
  return count;
}

async function collect(channel: ConfirmChannel, queue: string, windowMs: number): Promise<ConsumeMessage[]> {
  const collected: ConsumeMessage[] = [];
  const keep = (message: ConsumeMessage | null): void => {
    if (message !== null) collected.push(message);
  };
  const { consumerTag } = await channel.consume(queue, keep, { priority });
  await pause(windowMs);
  await channel.cancel(consumerTag);
  return collected;
}
