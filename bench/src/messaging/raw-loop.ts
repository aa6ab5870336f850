import { connect, type Channel, type ConfirmChannel } from 'amqplib';
import { systemClock } from '@holdfast/kernel/context';
import { envelopeOf } from './envelopes.js';
import type { OnConsumed, Pipeline } from './pipeline.js';

type Options = { readonly url: string; readonly windowMax: number; readonly prefetch: number };

const exchange = 'raw.events';
const queue = 'raw.hearer';
const routingKey = 'balance.credited';

/**
 * What amqplib can do with the same guarantees of the broker and none of Holdfast's: a confirm channel with a window, a quorum
 * queue, persistent messages, one acknowledgement each. The bytes are made once and never read; no database takes part.
 */
export async function openRawLoop({ url, windowMax, prefetch }: Options, onConsumed: OnConsumed): Promise<Pipeline> {
  const publishing = await connect(url, { noDelay: true });
  const consuming = await connect(url, { noDelay: true });
  const publisher = await publishing.createConfirmChannel();
  const consumer = await consuming.createChannel();
  await declare(consumer);
  await consumer.prefetch(prefetch);
  await consumer.consume(queue, (message) => {
    if (message === null) throw new Error('the broker ended the consumer');
    consumer.ack(message);
    onConsumed(String(message.properties.messageId));
  });
  const content = Buffer.from(JSON.stringify(envelopeOf('evt_01J00000000000000000000000', systemClock())));
  return {
    name: 'raw amqplib confirm loop',
    senders: windowMax,
    messagesPerSend: 1,
    send: async (ids) => {
      await Promise.all(ids.map((messageId) => publish(publisher, content, messageId)));
    },
    audit: async () => {
      const { messageCount } = await consumer.checkQueue(queue);
      if (messageCount > 0) throw new Error(`${messageCount} messages are left in ${queue}`);
    },
    close: async () => {
      await Promise.all([publishing.close(), consuming.close()]);
    },
  };
}

async function declare(channel: Channel): Promise<void> {
  await channel.assertExchange(exchange, 'topic', { durable: true });
  await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await channel.bindQueue(queue, exchange, routingKey);
}

function publish(channel: ConfirmChannel, content: Buffer, messageId: string): Promise<void> {
  const options = { persistent: true, mandatory: true, contentType: 'application/json', messageId, type: routingKey };
  return new Promise((resolve, reject) => {
    channel.publish(exchange, routingKey, content, options, (error: Error | null) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}
