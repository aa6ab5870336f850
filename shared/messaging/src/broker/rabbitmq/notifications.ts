import { randomUUID } from 'node:crypto';
import type { Channel, ConsumeMessage } from 'amqplib';
import { z } from 'zod';
import type { Log } from '@holdfast/kernel/context';
import type { Broker, Notification } from '../broker.js';
import { createListeners, type Listeners } from '../listeners.js';
import { guardChannel } from './channel-guard.js';
import type { Connection } from './connection-manager.js';
import type { Names } from './names.js';

export type Notifications = Pick<Broker, 'broadcast' | 'onNotification' | 'replyQueue' | 'notify'> & {
  readonly attachSender: (connection: Connection) => Promise<void>;
  readonly attachReceiver: (connection: Connection) => Promise<void>;
};

type Sender = { readonly channel: Channel; isFull: boolean };

type State = {
  readonly names: Names;
  readonly log: Log;
  /** Identifies this process, whose own broadcasts it ignores when they are delivered. */
  readonly origin: string;
  readonly listeners: Listeners;
  sender: Sender | undefined;
  replyQueue: string | undefined;
};

/** A process that falls behind loses the oldest notifications; its listeners also poll. */
const queueLengthMax = 10_000;
const notificationShape = z.object({ topic: z.string().max(200), key: z.string().max(500) });

/**
 * Each process has one exclusive queue for the lifetime of its connection. The fanout exchange routes to all of these queues, the
 * default exchange to one of them by name.
 */
export function createNotifications(names: Names, log: Log): Notifications {
  const listeners = createListeners(log);
  const state: State = { names, log, origin: randomUUID(), listeners, sender: undefined, replyQueue: undefined };
  return {
    broadcast: (notification) => {
      listeners.notify(notification);
      publish(state, names.broadcasts, '', notification);
    },
    onNotification: listeners.listen,
    replyQueue: () => state.replyQueue,
    notify: (replyQueue, notification) => {
      if (replyQueue === state.replyQueue) listeners.notify(notification);
      else publish(state, '', replyQueue, notification);
    },
    attachSender: (connection) => attachSender(state, connection),
    attachReceiver: (connection) => attachReceiver(state, connection),
  };
}

/** Notifications are transient and not mandatory, and are dropped while the socket's write buffer is full. */
function publish({ sender, origin }: State, exchange: string, routingKey: string, notification: Notification): void {
  if (sender === undefined || sender.isFull) return;
  const content = Buffer.from(JSON.stringify(notification));
  try {
    sender.isFull = !sender.channel.publish(exchange, routingKey, content, { persistent: false, appId: origin });
  } catch {
    // The channel was just closed, so the notification is lost. Listeners also poll.
  }
}

async function attachSender(state: State, connection: Connection): Promise<void> {
  const channel = await connection.model.createChannel();
  guardChannel(channel, { connection, log: state.log, name: 'notifications out' });
  const sender: Sender = { channel, isFull: false };
  channel.on('drain', () => {
    sender.isFull = false;
  });
  channel.on('close', () => {
    if (state.sender === sender) state.sender = undefined;
  });
  state.sender = sender;
}

async function attachReceiver(state: State, connection: Connection): Promise<void> {
  const channel = await connection.model.createChannel();
  guardChannel(channel, { connection, log: state.log, name: 'notifications in' });
  const options = { exclusive: true, autoDelete: true, durable: false, maxLength: queueLengthMax };
  const { queue } = await channel.assertQueue('', options);
  channel.on('close', () => {
    if (state.replyQueue === queue) state.replyQueue = undefined;
  });
  await channel.bindQueue(queue, state.names.broadcasts, '');
  await channel.consume(queue, (message) => receive(state, message), { noAck: true });
  state.replyQueue = queue;
}

function receive({ origin, listeners }: State, message: ConsumeMessage | null): void {
  if (message === null || message.properties.appId === origin) return;
  const notification = readNotification(message.content);
  if (notification !== undefined) listeners.notify(notification);
}

function readNotification(content: Buffer): Notification | undefined {
  try {
    return notificationShape.parse(JSON.parse(content.toString()));
  } catch {
    return undefined; // not a notification
  }
}
