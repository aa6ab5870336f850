import { settlesWithin } from '@holdfast/kernel/async';
import { systemClock, type Log } from '@holdfast/kernel/context';
import {
  defaultNewerVersionWaitMs,
  defaultRetryDelaysMs,
  repeated,
  type Broker,
  type BrokerEvent,
  type Publishing,
  type RawMessage,
  type Subscription,
  type Topology,
} from '../broker.js';
import { observeSafely } from '../observe-safely.js';
import { reportPublish, type Failures } from '../publishing.js';
import { assertKnownQueue } from '../topology.js';
import { createConsumer, type Consumer, type ConsumerOptions } from './consumer.js';
import { declareTopology } from './declare-topology.js';
import { publishHeaders } from './headers.js';
import { openConnectionManager, type Connection, type ConnectionManager } from './connection-manager.js';
import { defaultNamespace, namesOf, type Names } from './names.js';
import { createNotifications, type Notifications } from './notifications.js';
import { createParkedQueueConsumer } from './parked-queue-consumer.js';
import { publishEnvelopes } from './publish-envelopes.js';
import { createPublisher, type Publisher } from './publisher.js';
import { readQueueDepth } from './queue-depth.js';
import { createQueuePublishers, type QueuePublisher } from './queue-publishers.js';

export type RabbitmqOptions = {
  readonly url: string;
  readonly topology: Topology;
  readonly log: Log;
  /** Prefix of every queue and exchange name, so that installations can share a broker. */
  readonly namespace?: string;
  readonly retryDelaysMs?: readonly number[];
  /** How long messages of a newer version wait before they are parked. */
  readonly newerVersionWaitMs?: number;
  readonly epochMs?: () => number;
  /** Time limit of the first connection. Later reconnects have no limit. */
  readonly connectTimeoutMs?: number;
  readonly publishTimeoutMs?: number;
  /** How long `close` waits for running handlers. */
  readonly drainTimeoutMs?: number;
  readonly onEvent?: (event: BrokerEvent) => void;
};

const defaults = {
  namespace: defaultNamespace,
  retryDelaysMs: defaultRetryDelaysMs,
  newerVersionWaitMs: defaultNewerVersionWaitMs,
  epochMs: systemClock().epochMs,
  connectTimeoutMs: 15_000,
  publishTimeoutMs: 10_000,
  drainTimeoutMs: 8_000,
} as const;
const window = { windowMax: 1_000, windowBytesMax: 32 * 1_024 * 1_024, waitingMax: 20_000 } as const;

type Parts = {
  readonly options: Required<RabbitmqOptions>;
  readonly names: Names;
  readonly publisher: Publisher;
  readonly queuePublishers: ReadonlyMap<string, QueuePublisher>;
  readonly notifications: Notifications;
  readonly consumers: Set<Consumer>;
};

/**
 * Opens two connections, because a broker that is short of memory or disk stops reading from connections that publish, and that
 * must not delay acknowledgements.
 */
export async function connectRabbitmq(given: RabbitmqOptions): Promise<Broker> {
  const options: Required<RabbitmqOptions> = { ...defaults, ...given, onEvent: observeSafely(given.onEvent, given.log) };
  const names = namesOf(options.namespace);
  const publisher = createPublisher({ ...window, publishTimeoutMs: options.publishTimeoutMs, log: options.log });
  const queuePublishers = createQueuePublishers({ topology: options.topology, names, publisher });
  const notifications = createNotifications(names, options.log);
  const parts: Parts = { options, names, publisher, queuePublishers, notifications, consumers: new Set() };
  const publishing = await connectPublishing(parts);
  try {
    return toBroker(parts, publishing, await connectConsuming(parts));
  } catch (error) {
    await publishing.close();
    throw error;
  }
}

function connectPublishing({ options, names, publisher, notifications }: Parts): Promise<ConnectionManager> {
  const { url, log, connectTimeoutMs, topology, retryDelaysMs } = options;
  const setUp = async (connection: Connection): Promise<void> => {
    await declareTopology(connection, topology, names, retryDelaysMs);
    await notifications.attachSender(connection);
    await publisher.attach(connection);
  };
  return openConnectionManager({ url, log, connectTimeoutMs, name: `${options.namespace} publishing`, setUp });
}

function connectConsuming({ options, names, notifications, consumers }: Parts): Promise<ConnectionManager> {
  const { url, log, connectTimeoutMs, topology, retryDelaysMs } = options;
  const setUp = async (connection: Connection): Promise<void> => {
    await declareTopology(connection, topology, names, retryDelaysMs);
    await notifications.attachReceiver(connection);
  };
  const onUp = (connection: Connection): void => {
    for (const consumer of consumers) consumer.attach(connection).catch(() => undefined); // it never rejects
  };
  return openConnectionManager({ url, log, connectTimeoutMs, name: `${options.namespace} consuming`, setUp, onUp });
}

function toBroker(parts: Parts, publishing: ConnectionManager, consuming: ConnectionManager): Broker {
  const { options, names, publisher, queuePublishers } = parts;
  const { broadcast, onNotification, replyQueue, notify } = parts.notifications;
  let closing: Promise<void> | undefined;
  return {
    publish: publishEnvelopes({ ...options, queuePublishers }),
    redeliver: async (queue, messages, publishing = repeated) => {
      assertKnownQueue(options.topology, queue);
      await redeliver(parts, queue, messages, publishing);
    },
    consume: async (queue, consumeOptions, handler) => {
      assertKnownQueue(options.topology, queue);
      if (closing !== undefined) throw new Error('The broker is closed.');
      return consume(parts, consuming, { ...options, ...consumeOptions, names, publisher, queue, handler });
    },
    queueDepth: async (queue) => {
      assertKnownQueue(options.topology, queue);
      const connection = consuming.connection();
      if (connection === undefined) throw new Error('RabbitMQ is not connected.');
      return readQueueDepth(connection, { queue, names, retryDelaysMs: options.retryDelaysMs });
    },
    broadcast,
    onNotification,
    replyQueue,
    notify,
    isHealthy: () => publisher.isReady() && consuming.connection() !== undefined,
    close: () => (closing ??= close(parts, publishing, consuming)),
  };
}

/** Resolves once the broker has confirmed the consumer, or at once while disconnected; the next connection then starts it. */
async function consume({ consumers }: Parts, consuming: ConnectionManager, options: ConsumerOptions): Promise<Subscription> {
  const own = [createConsumer(options), createParkedQueueConsumer(options)];
  for (const consumer of own) consumers.add(consumer);
  const connection = consuming.connection();
  if (connection !== undefined) await Promise.all(own.map((consumer) => consumer.attach(connection)));
  return {
    stop: async () => {
      for (const consumer of own) consumers.delete(consumer);
      await Promise.all(own.map((consumer) => consumer.stop()));
    },
  };
}

async function redeliver(
  { names, publisher, options }: Parts,
  queue: string,
  messages: readonly RawMessage[],
  publishing: Publishing,
): Promise<void> {
  const to = { queue: names.queue(queue), headers: publishHeaders(publishing) };
  const copies = messages.map(({ messageId, type, body }) => ({ ...to, content: body, messageId, type }));
  const outcomes = await publisher.send(copies);
  const failures: Failures = new Map();
  messages.forEach(({ messageId }, index) => {
    const failure = outcomes[index];
    if (failure !== undefined) failures.set(messageId, failure);
  });
  reportPublish(messages.length, failures, options.onEvent);
}

/** Consumers stop before the publisher, because a handler that fails meanwhile publishes its message to a retry queue. */
async function close(parts: Parts, publishing: ConnectionManager, consuming: ConnectionManager): Promise<void> {
  const { consumers, queuePublishers, publisher, options } = parts;
  await Promise.all([...consumers].map((consumer) => consumer.stop()));
  await settlesWithin(Promise.all([...queuePublishers.values()].map(({ drain }) => drain())), options.publishTimeoutMs);
  await publisher.finish(options.publishTimeoutMs);
  await Promise.all([publishing.close(), consuming.close()]);
}
