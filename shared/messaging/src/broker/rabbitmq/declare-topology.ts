import type { Channel } from 'amqplib';
import type { Topology } from '../broker.js';
import type { Connection } from './connection-manager.js';
import type { Names } from './names.js';

/** Redeliveries after lost connections are not the message's fault; only one that keeps killing processes gets this far. */
const deliveryLimit = 1_000;
/** Looking at parked messages counts as delivering them, and some versions of RabbitMQ drop what was delivered too often. */
const parkedDeliveryLimit = 2_000_000_000;

/** What is lost on the way to another queue would be lost for good, so it stays in the first until the second has it. */
const atLeastOnce = {
  'x-queue-type': 'quorum',
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
} as const;

/**
 * Declares every queue of the services, and the exchange of broadcasts. Messages go straight to their queues through the default
 * exchange. Safe to run from many processes at once.
 */
export async function declareTopology(
  connection: Connection,
  topology: Topology,
  names: Names,
  retryDelaysMs: readonly number[],
): Promise<void> {
  const channel = await connection.model.createChannel();
  channel.on('error', () => undefined); // the declaration that caused it rejects with the same error
  await channel.assertExchange(names.broadcasts, 'fanout', { durable: true });
  for (const { name } of topology.queues) await declareQueues(channel, name, names, retryDelaysMs);
  await channel.close();
}

/** A service's queue, the retry queues that lead back to it, and the queue of its parked messages. */
async function declareQueues(channel: Channel, name: string, names: Names, retryDelaysMs: readonly number[]): Promise<void> {
  await channel.assertQueue(names.parked(name), {
    durable: true,
    arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': parkedDeliveryLimit },
  });
  await channel.assertQueue(names.queue(name), {
    durable: true,
    arguments: { ...atLeastOnce, 'x-delivery-limit': deliveryLimit, ...deadLetterTo(names.parked(name)) },
  });
  for (const delayMs of retryDelaysMs) {
    await channel.assertQueue(names.retry(name, delayMs), {
      durable: true,
      arguments: { ...atLeastOnce, 'x-message-ttl': delayMs, ...deadLetterTo(names.queue(name)) },
    });
  }
}

/** Dead letters go through the default exchange to that one queue. */
function deadLetterTo(queue: string): Readonly<Record<string, string>> {
  return { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': queue };
}
