import type { Channel } from 'amqplib';
import type { Log } from '@holdfast/kernel/context';
import type { Connection } from './connection-manager.js';

export type GuardedChannel = { readonly connection: Connection; readonly log: Log; readonly name: string };

/**
 * Aborts the connection when the broker closes the channel, so that there is one way to recover: a new connection with all its
 * channels. Returns the function to call before closing the channel on purpose.
 */
export function guardChannel(channel: Channel, { connection, log, name }: GuardedChannel): () => void {
  let isCloseExpected = false;
  channel.on('error', (error) => log.error({ err: error, channel: name }, 'RabbitMQ closed a channel'));
  channel.on('close', () => {
    if (!isCloseExpected) connection.abort(`its channel "${name}" was closed`);
  });
  return () => {
    isCloseExpected = true;
  };
}
