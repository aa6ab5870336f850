import { setTimeout as pause } from 'node:timers/promises';
import { connect, type ConfirmChannel, type ConsumeMessage } from 'amqplib';
import { eventually } from '../eventually/index.js';

/** A consumer that changes the order of the messages in the queue of a service. */
export type MessageReordering = {
  /** Stops reordering. Resolves to the number of AMQP messages that were reordered. */
  readonly end: () => Promise<number>;
};

/** Higher than the priority of the service's consumer, so that the queue delivers here first. */
const priority = 10;
const unackedMax = 10_000;

/** Repeatedly collects the messages of `windowMs` and publishes them again in reverse order. */
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
      if ((await channel.checkQueue(queue)).messageCount > 0) throw new Error('the service has not consumed every message yet');
    });
  }
  return count;
}

async function collect(channel: ConfirmChannel, queue: string, windowMs: number): Promise<ConsumeMessage[]> {
  const collected: ConsumeMessage[] = [];
  const add = (message: ConsumeMessage | null): void => {
    if (message !== null) collected.push(message);
  };
  const { consumerTag } = await channel.consume(queue, add, { priority });
  await pause(windowMs);
  await channel.cancel(consumerTag);
  return collected;
}
