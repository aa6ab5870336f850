import { randomInt } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Broker, Delivery, Subscription } from '@holdfast/messaging/broker';
import { settlesWithin } from '@holdfast/kernel/async';
import type { Clock } from '@holdfast/kernel/instants';
import type { Log } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import type { ServiceName } from '@holdfast/contracts/services';
import { createAcknowledger, deliverTo } from '@holdfast/messaging/inbox';
import { parkedMessages } from '@holdfast/messaging/parked';
import type { Metrics } from '@holdfast/observability';
import type { Database } from '@holdfast/postgres';
import type { BoundConsumer } from './consumers.js';
import { countHandled } from './messaging-metrics.js';
import { createStepMeasurement } from './saga-step-metrics.js';

export type QueueConsumerOptions = {
  readonly service: ServiceName;
  readonly consumers: readonly BoundConsumer[];
  readonly broker: Pick<Broker, 'consume' | 'redeliver'>;
  readonly database: Pick<Database, 'ping' | 'pool'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly signal: AbortSignal;
  /** The maximum number of concurrent handlers. */
  readonly prefetch?: number;
};

export type QueueConsumer = {
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly hasStarted: () => boolean;
};

type Handler = (delivery: Delivery) => Promise<void>;

const prefetchDefault = 200;
/** How long `stop` waits until the last acknowledgements are sent. Those that are not are sent when their messages come again. */
const acknowledgeTimeoutMs = 2_000;

/** Consumes the queue of a service with its handlers. */
export function createQueueConsumer(options: QueueConsumerOptions): QueueConsumer {
  const { service, consumers, broker, database, metrics, clock, prefetch = prefetchDefault } = options;
  const parked = parkedMessages(database.pool);
  const acknowledger = createAcknowledger({ ...options, newId: idFactory(clock.epochMs) });
  let subscription: Subscription | undefined;
  let hasStarted = false;
  return {
    hasStarted: () => hasStarted,
    start: async () => {
      const measure = createStepMeasurement({ metrics, clock });
      const onHandled: typeof measure = (consumer, envelope) => {
        acknowledger.onHandled(consumer.declaration, envelope);
        measure(consumer, envelope);
      };
      const handler = retryWhileDatabaseUnavailable(deliverTo(consumers, { ...options, onHandled }), options);
      const consumption = { prefetch, parked, onEvent: countHandled(metrics) };
      if (consumers.length > 0) subscription = await broker.consume(service, consumption, handler);
      hasStarted = true;
    },
    stop: async () => {
      await subscription?.stop();
      await settlesWithin(acknowledger.drain(), acknowledgeTimeoutMs);
    },
  };
}

const unavailableTimeoutMs = 900_000;
const pingEveryMs = 500;

/**
 * Handles the message again when the database is reachable. Retries of the broker are for messages that fail: after a long outage
 * they would leave every message parked, and an operator would have to redrive them.
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
    // The jitter spreads the retries of the waiting messages.
    await pause(randomInt(pingEveryMs, 2 * pingEveryMs), undefined, { signal }).catch(() => undefined);
  } while (!signal.aborted && performance.now() < deadline && !(await isReachable(database)));
}

function isReachable(database: Pick<Database, 'ping'>): Promise<boolean> {
  return database.ping().then(
    () => true,
    () => false,
  );
}
