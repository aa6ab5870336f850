import { randomUUID } from 'node:crypto';
import { systemClock, type Log } from '@holdfast/kernel/context';
import type { Database } from '@holdfast/postgres';
import {
  PublishFailed,
  defaultNewerVersionWaitMs,
  defaultRetryDelaysMs,
  type Broker,
  type BrokerEvent,
  type QueueDepth,
  type Topology,
} from '../broker.js';
import { createListeners } from '../listeners.js';
import { observeSafely } from '../observe-safely.js';
import { assertKnownQueue } from '../topology.js';
import { startConsumer, type Consumer } from './consumer.js';
import { publishRows, redeliverRows } from './publish-rows.js';
import { startPoll, type Poll } from './poll.js';
import { countDeliveries } from './statements.js';

export type InProcessOptions = {
  /** The pool of a role whose schema has the table `deliveries`. */
  readonly pool: Database['pool'];
  readonly topology: Topology;
  readonly log: Log;
  readonly retryDelaysMs?: readonly number[];
  /** How long messages of a newer version wait before they are parked. */
  readonly newerVersionWaitMs?: number;
  readonly epochMs?: () => number;
  readonly publishTimeoutMs?: number;
  /** How long `close` waits for running handlers. */
  readonly drainTimeoutMs?: number;
  /** How long the messages of a crashed process stay leased. Running processes extend their leases. */
  readonly leaseMs?: number;
  /** How long the driver sleeps at most: then it looks for rows of other processes, which no publish of this process announces. */
  readonly pollEveryMs?: number;
  readonly onEvent?: (event: BrokerEvent) => void;
};

const defaults = {
  retryDelaysMs: defaultRetryDelaysMs,
  newerVersionWaitMs: defaultNewerVersionWaitMs,
  epochMs: systemClock().epochMs,
  publishTimeoutMs: 10_000,
  drainTimeoutMs: 8_000,
  leaseMs: 5_000,
  pollEveryMs: 1_000,
} as const;

type Parts = {
  readonly options: Required<InProcessOptions>;
  readonly consumers: Map<Consumer, string>;
  readonly poll: Poll;
  readonly wakeUp: (queues: Iterable<string>) => void;
};

/**
 * A broker on Postgres: a message is one row per queue until it is handled. Publishing wakes up the consumers of this process; a look
 * finds retries and expired leases when they are due, and rows that other processes have published.
 */
export async function openInProcessBroker(given: InProcessOptions): Promise<Broker> {
  const options: Required<InProcessOptions> = { ...defaults, ...given, onEvent: observeSafely(given.onEvent, given.log) };
  const consumers = new Map<Consumer, string>();
  const wakeUp = (queues: Iterable<string>): void => {
    const dueQueues = new Set(queues);
    for (const [consumer, queue] of consumers) if (dueQueues.has(queue)) consumer.wakeUp();
  };
  const poll = await startPoll({ ...options, queues: () => consumers.values(), onDue: wakeUp });
  return toBroker({ options, consumers, poll, wakeUp });
}

function toBroker(parts: Parts): Broker {
  const { options, wakeUp, poll } = parts;
  const { topology, log } = options;
  const publish = publishRows({ ...options, onInserted: wakeUp });
  const redeliver = redeliverRows({ ...options, onInserted: wakeUp });
  let closing: Promise<void> | undefined;
  return {
    publish: async (envelopes, publishing) => {
      const ids = envelopes.map(({ id }) => id);
      if (closing !== undefined) throw new PublishFailed('The broker is closed.', ids);
      await publish(envelopes, publishing);
    },
    redeliver: async (queue, messages, publishing) => {
      assertKnownQueue(topology, queue);
      await redeliver(queue, messages, publishing);
    },
    consume: (queue, consumeOptions, handler) =>
      new Promise((resolve) => {
        assertKnownQueue(topology, queue);
        if (closing !== undefined) throw new Error('The broker is closed.');
        const consumer = startConsumer({ ...options, ...consumeOptions, queue, handler, onDueLater: poll.wake });
        parts.consumers.set(consumer, queue);
        resolve({ stop: () => stopConsumer(parts, consumer) });
      }),
    queueDepth: async (queue) => {
      assertKnownQueue(topology, queue);
      const { rows } = await options.pool.query<QueueDepth>({ ...countDeliveries, values: [queue] });
      return rows[0] ?? { work: 0, retry: 0, parking: 0 };
    },
    ...inProcessNotifications(log),
    isHealthy: () => closing === undefined && poll.isHealthy(),
    close: () => (closing ??= close(parts)),
  };
}

/** Notifications reach the listeners of this process only; other processes on the same database poll. */
function inProcessNotifications(log: Log): Pick<Broker, 'broadcast' | 'onNotification' | 'replyQueue' | 'notify'> {
  const listeners = createListeners(log);
  const ownQueue = randomUUID();
  return {
    broadcast: listeners.notify,
    onNotification: listeners.listen,
    replyQueue: () => ownQueue,
    notify: (replyQueue, notification) => {
      if (replyQueue === ownQueue) listeners.notify(notification);
    },
  };
}

async function stopConsumer({ consumers }: Parts, consumer: Consumer): Promise<void> {
  await consumer.stop();
  consumers.delete(consumer);
}

async function close(parts: Parts): Promise<void> {
  await parts.poll.stop();
  await Promise.all([...parts.consumers.keys()].map((consumer) => stopConsumer(parts, consumer)));
}
