import { consumedBy } from '@holdfast/contracts/sagas';
import type { ServiceName } from '@holdfast/contracts/services';
import { PublishFailed, type Broker, type BrokerEvent } from '@holdfast/messaging/broker';
import { defineCounter, defineGauge, withValues, type MetricDeclaration, type Metrics } from '@holdfast/observability';
import type { Relay } from '@holdfast/messaging/outbox';
import { measureEveryMs, type Job } from '@holdfast/work';

const published = defineCounter(
  'holdfast_messages_published_total',
  'Messages published to the broker; failed ones are retried',
  {
    outcome: ['published', 'publish_failed'],
  },
);
const handled = defineCounter('holdfast_messages_handled_total', 'Deliveries of consumed messages by outcome', {
  type: 'the messages that the service consumes',
  outcome: ['handled', 'retried', 'newer_version', 'parked'],
});
const outboxRows = defineGauge('holdfast_outbox_backlog_rows', 'Outbox rows not yet published');
const outboxLag = defineGauge('holdfast_outbox_lag_seconds', 'Age of the oldest unpublished outbox row');
const unacknowledged = defineGauge(
  'holdfast_outbox_unacknowledged_messages',
  'Messages that are repeated until every consumer has acknowledged them',
);
const unacknowledgedAge = defineGauge(
  'holdfast_outbox_unacknowledged_age_seconds',
  'Age of the oldest message that a consumer has not acknowledged',
);
const outboxInMemory = defineGauge(
  'holdfast_outbox_in_memory_messages',
  'Messages handed to the publisher and not yet confirmed',
);
const queueMessages = defineGauge(
  'holdfast_queue_messages',
  "Messages in the service's own queues that wait for a consumer; on RabbitMQ one may hold the messages of a whole commit",
  { queue: ['work', 'retry', 'parking'] },
);
const parkedMessages = defineGauge('holdfast_parked_messages', 'Messages that no retry helps; an operator must look');
export const brokerConnected = defineGauge('holdfast_broker_connected', 'Whether the broker is connected and accepts messages');

/** The metrics of messaging in a service. */
export function messagingMetrics(service: ServiceName): readonly MetricDeclaration[] {
  const types = new Set(consumedBy(service).map(({ declaration }) => declaration.type));
  const handledHere = withValues(handled, { type: [...types] });
  const outbox = [outboxRows, outboxLag, unacknowledged, unacknowledgedAge, outboxInMemory];
  return [published, handledHere, ...outbox, queueMessages, parkedMessages];
}

/** Counts what is published. Each service has its own, also where services of one process share the broker. */
export function countPublished(broker: Broker, metrics: Metrics): Broker {
  const counter = metrics.counter(published);
  const counted = async (count: number, publishing: Promise<void>): Promise<void> => {
    try {
      await publishing;
      counter.inc({ outcome: 'published' }, count);
    } catch (error) {
      const failed = error instanceof PublishFailed ? error.messageIds.length : count;
      counter.inc({ outcome: 'published' }, Math.max(0, count - failed));
      counter.inc({ outcome: 'publish_failed' }, failed);
      throw error;
    }
  };
  return {
    ...broker,
    publish: (envelopes) => counted(envelopes.length, broker.publish(envelopes)),
    redeliver: (queue, messages) => counted(messages.length, broker.redeliver(queue, messages)),
  };
}

/** Counts the deliveries of a service's queue by outcome. */
export function countHandled(metrics: Metrics): (event: BrokerEvent) => void {
  const counter = metrics.counter(handled);
  return (event) => {
    if ('type' in event) counter.inc({ type: event.type, outcome: event.kind });
  };
}

export function measureConnected(broker: Pick<Broker, 'isHealthy'>, metrics: Metrics): void {
  const gauge = metrics.gauge(brokerConnected);
  metrics.onRead(() => gauge.set(broker.isHealthy() ? 1 : 0));
}

/** Measures the outbox and the parked messages with one statement. */
export function outboxMeasurement(relay: Relay, metrics: Metrics): Job {
  const rows = metrics.gauge(outboxRows);
  const lag = metrics.gauge(outboxLag);
  const waiting = metrics.gauge(unacknowledged);
  const waitingAge = metrics.gauge(unacknowledgedAge);
  const inMemory = metrics.gauge(outboxInMemory);
  const parked = metrics.gauge(parkedMessages);
  return {
    name: 'measure-outbox',
    everyMs: measureEveryMs,
    isMeasurement: true,
    run: async () => {
      const backlog = await relay.backlog();
      rows.set(backlog.rows);
      lag.set(backlog.lagSeconds);
      waiting.set(backlog.unacknowledged);
      waitingAge.set(backlog.unacknowledgedSeconds);
      parked.set(backlog.parked);
      inMemory.set(relay.counters().inMemory);
    },
  };
}

/** Measures how many messages wait in the queues of the service. */
export function queueMeasurement(service: ServiceName, broker: Pick<Broker, 'queueDepth'>, metrics: Metrics): Job {
  const waiting = metrics.gauge(queueMessages);
  return {
    name: 'measure-queues',
    everyMs: measureEveryMs,
    isMeasurement: true,
    run: async () => {
      const { work, retry, parking } = await broker.queueDepth(service);
      waiting.set({ queue: 'work' }, work);
      waiting.set({ queue: 'retry' }, retry);
      waiting.set({ queue: 'parking' }, parking);
    },
  };
}
