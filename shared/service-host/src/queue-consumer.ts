import { randomInt } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Broker, Delivery, Subscription } from '@holdfast/messaging/broker';
import type { Clock, Log } from '@holdfast/kernel/context';
import type { ServiceName } from '@holdfast/contracts/services';
import { deliverTo } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import type { BoundConsumer } from './consumers.js';

export type QueueConsumerOptions = {
  readonly service: ServiceName;
  readonly consumers: readonly BoundConsumer[];
  readonly broker: Pick<Broker, 'consume'>;
  readonly database: Pick<Database, 'ping'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Messages that are handled at the same time. */
  readonly prefetch?: number;
};

export type QueueConsumer = {
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly hasStarted: () => boolean;
};

type Handler = (delivery: Delivery) => Promise<void>;

const prefetchDefault = 200;

/** Feeds a service's queue to its consumers. */
export function createQueueConsumer(options: QueueConsumerOptions): QueueConsumer {
  const { service, consumers, broker, prefetch = prefetchDefault } = options;
  let subscription: Subscription | undefined;
  let hasStarted = false;
  return {
    hasStarted: () => hasStarted,
    start: async () => {
      const handler = retryWhileDatabaseUnavailable(deliverTo(consumers, options), options);
      if (consumers.length > 0) subscription = await broker.consume(service, { prefetch }, handler);
      hasStarted = true;
    },
    stop: async () => subscription?.stop(),
  };
}

const unavailableTimeoutMs = 900_000;
const pingEveryMs = 500;

/**
 * A message that meets a database that is away waits here until it is back. The retry ladder is for messages that fail: a
 * long outage would park every one of them, and a person would have to send them back.
 */
function retryWhileDatabaseUnavailable(handler: Handler, { database, log, signal, service }: QueueConsumerOptions): Handler {
  return async (delivery) => {
    const deadline = performance.now() + unavailableTimeoutMs;
    for (;;) {
      try {
        await handler(delivery);
        return;
      } catch (error) {
        if (signal.aborted || performance.now() > deadline || (await isReachable(database))) throw error;
        log.warn({ service, messageId: delivery.envelope.id }, 'message waits until the database is reachable');
      }
      await waitUntilReachable(database, signal, deadline);
    }
  };
}

async function waitUntilReachable(database: Pick<Database, 'ping'>, signal: AbortSignal, deadline: number): Promise<void> {
  do {
    // Never all waiting messages at the same moment.
    await pause(randomInt(pingEveryMs, 2 * pingEveryMs), undefined, { signal }).catch(() => undefined);
  } while (!signal.aborted && performance.now() < deadline && !(await isReachable(database)));
}

function isReachable(database: Pick<Database, 'ping'>): Promise<boolean> {
  return database.ping().then(
    () => true,
    () => false,
  );
}
