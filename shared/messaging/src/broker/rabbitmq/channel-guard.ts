import type { Channel } from 'amqplib';
import type { Log } from '@holdfast/kernel/context';
import type { Connection } from './connection-manager.js';

export type GuardedChannel = { readonly connection: Connection; readonly log: Log; readonly name: string };

/**
 * A channel that the broker closes is rare and never expected; what it leaves half done is cleared up by starting over
 * with a new connection. Returns how to announce that its end is wanted.
 */
export function guardChannel(channel: Channel, { connection, log, name }: GuardedChannel): () => void {
  let isCloseExpected = false;
  channel.on('error', (error) => log.error({ err: error, channel: name }, 'RabbitMQ closed a channel'));
  channel.on('close', () => {
    if (!isCloseExpected) connection.abort(`its channel "${name}" has ended`);
  });
  return () => {
    isCloseExpected = true;
  };
}
