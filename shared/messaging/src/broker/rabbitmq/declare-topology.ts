import type { Channel } from 'amqplib';
import type { Topology } from '../broker.js';
import { explainDeclaration } from './broker-requirements.js';
import type { Connection } from './connection-manager.js';
import type { Names } from './names.js';

/** High, because a lost connection counts as a delivery too. Only a message that keeps crashing its consumer reaches it. */
const deliveryLimit = 1_000;
/** Listing parked messages counts as delivering them, and some versions of RabbitMQ have a default limit that drops messages. */
const parkedDeliveryLimit = 2_000_000_000;

/** Dead-lettering is at most once by default. With these arguments a message stays in its queue until the target has confirmed it. */
const atLeastOnce = {
  'x-queue-type': 'quorum',
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
} as const;

/**
 * Declares the queues of every service and the broadcast exchange. Messages are published to queues through the default exchange.
 * Several processes may declare at the same time. See ADR 0029.
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
  for (const { name } of topology.queues) {
    await declareQueues(channel, name, names, retryDelaysMs).catch((error: unknown) => {
      throw explainDeclaration(error);
    });
  }
  await channel.close();
}

/** The queue of a service, its retry queues, which dead-letter back to it, and the queue of its parked messages. */
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

/** Dead-letters to this queue through the default exchange. */
function deadLetterTo(queue: string): Readonly<Record<string, string>> {
  return { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': queue };
}
