import type { BrokerEvent } from '@holdfast/messaging/broker';
import type { Metrics } from '@holdfast/observability';
import type { Relay } from '@holdfast/messaging/outbox';
import type { ParkedMessages } from '@holdfast/messaging/parked';
import type { Job } from './service-definition.js';

/** Counts the events of a broker driver. */
export function brokerEventCounter(metrics: Metrics): (event: BrokerEvent) => void {
  const published = metrics.counter('holdfast_messages_published_total', 'Messages published to the broker.', ['outcome']);
  const handled = metrics.counter('holdfast_messages_handled_total', 'Deliveries by outcome.', ['type', 'outcome']);
  return (event) => {
    if ('count' in event) published.inc({ outcome: event.kind }, event.count);
    else handled.inc({ type: event.type, outcome: event.kind });
  };
}

const measureEveryMs = 10_000;

/** Measures the outbox in a job, so that a scrape of the metrics causes no query. */
export function outboxMeasurement(relay: Relay, metrics: Metrics): Job {
  const rows = metrics.gauge('holdfast_outbox_backlog_rows', 'Outbox rows not yet published.');
  const lag = metrics.gauge('holdfast_outbox_lag_seconds', 'Age of the oldest unpublished outbox row.');
  const inMemory = metrics.gauge('holdfast_outbox_in_memory_messages', 'Messages handed over and not yet published.');
  return {
    name: 'measure-outbox',
    everyMs: measureEveryMs,
    run: async () => {
      const backlog = await relay.backlog();
      rows.set(backlog.rows);
      lag.set(backlog.lagSeconds);
      inMemory.set(relay.counters().inMemory);
    },
  };
}

/** Measures the messages that wait for an operator. */
export function parkedMeasurement(parked: Pick<ParkedMessages, 'count'>, metrics: Metrics): Job {
  const waiting = metrics.gauge('holdfast_parked_messages', 'Messages that no retry helps; an operator must look.');
  return {
    name: 'measure-parked-messages',
    everyMs: measureEveryMs,
    run: async () => {
      waiting.set(await parked.count());
    },
  };
}
