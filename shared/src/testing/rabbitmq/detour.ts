import { setTimeout as pause } from 'node:timers/promises';
import { connect, type ConfirmChannel, type ConsumeMessage } from 'amqplib';
import { eventually } from '../eventually/index.js';

/** Something between a queue and its service that changes the order of the messages. */
export type Detour = {
  /** Lets everything pass again. Resolves to how many AMQP messages were held back. */
  readonly end: () => Promise<number>;
};

/** Above that of the service's own consumer, so that the queue delivers here first. */
const priority = 10;
const unackedMax = 10_000;

/** Again and again holds back what comes within the time, and then passes it on in reverse order. */
export async function startDetour(url: string, service: string, holdMs: number): Promise<Detour> {
  const connection = await connect(url);
  const channel = await connection.createConfirmChannel();
  await channel.prefetch(unackedMax);
  const ending = new AbortController();
  const running = holdUntil(ending.signal, channel, `holdfast.${service}`, holdMs);
  return {
    end: async () => {
      ending.abort();
      const count = await running;
      await connection.close();
      return count;
    },
  };
}

async function holdUntil(signal: AbortSignal, channel: ConfirmChannel, queue: string, holdMs: number): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    const held = await hold(channel, queue, holdMs);
    count += held.length;
    for (const { content, properties } of held.reverse()) channel.sendToQueue(queue, content, properties);
    await channel.waitForConfirms();
    for (const message of held) channel.ack(message);
    await eventually(async () => {
      if ((await channel.checkQueue(queue)).messageCount > 0) throw new Error('the service has not taken everything yet');
    });
  }
  return count;
}

async function hold(channel: ConfirmChannel, queue: string, holdMs: number): Promise<ConsumeMessage[]> {
  const held: ConsumeMessage[] = [];
  const keep = (message: ConsumeMessage | null): void => {
    if (message !== null) held.push(message);
  };
  const { consumerTag } = await channel.consume(queue, keep, { priority });
  await pause(holdMs);
  await channel.cancel(consumerTag);
  return held;
}
