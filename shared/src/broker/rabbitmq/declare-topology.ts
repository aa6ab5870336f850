import type { Channel, ChannelModel } from 'amqplib';
import type { Topology } from '../broker.js';
import type { Names } from './names.js';

/** Redeliveries after lost connections are not the message's fault; only one that keeps killing processes gets this far. */
const deliveriesMax = 1_000;
/** Looking at parked messages counts as delivering them, and some versions of RabbitMQ drop what was delivered too often. */
const looksMax = 2_000_000_000;

/** What is lost on the way to another queue would be lost for good, so it stays in the first until the second has it. */
const safely = { 'x-queue-type': 'quorum', 'x-dead-letter-strategy': 'at-least-once', 'x-overflow': 'reject-publish' } as const;

/** Makes every exchange, queue and binding that is not there yet. Safe to run from many processes at once. */
export async function declareTopology(
  connection: ChannelModel,
  topology: Topology,
  names: Names,
  ladderMs: readonly number[],
): Promise<void> {
  const channel = await connection.createChannel();
  channel.on('error', () => undefined); // the declaration that caused it rejects with the same error
  await channel.assertExchange(names.events, 'topic', { durable: true });
  await channel.assertExchange(names.hints, 'direct', { durable: true });
  for (const { name, types } of topology.queues) {
    await declareQueues(channel, name, names, ladderMs);
    for (const type of types) await channel.bindQueue(names.queue(name), names.events, type);
    await channel.bindQueue(names.queue(name), names.events, names.queueKey(name));
  }
  await channel.close();
}

/** A service's queue, the rungs that lead back to it, and the place for what cannot be handled. */
async function declareQueues(channel: Channel, name: string, names: Names, ladderMs: readonly number[]): Promise<void> {
  await channel.assertQueue(names.parked(name), {
    durable: true,
    arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': looksMax },
  });
  await channel.assertQueue(names.queue(name), {
    durable: true,
    arguments: { ...safely, 'x-delivery-limit': deliveriesMax, ...leadingTo(names.parked(name)) },
  });
  for (const delayMs of ladderMs) {
    await channel.assertQueue(names.retry(name, delayMs), {
      durable: true,
      arguments: { ...safely, 'x-message-ttl': delayMs, ...leadingTo(names.queue(name)) },
    });
  }
}

/** Through the default exchange to that one queue: the topic would hand a copy to every other listener too. */
function leadingTo(queue: string): Readonly<Record<string, string>> {
  return { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': queue };
}
