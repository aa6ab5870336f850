import { webhookAttemptErrors } from '@holdfast/contracts/http';
import { defineCounter, defineGauge, defineHistogram, type MetricDeclaration } from '@holdfast/observability';
import { disconnectReasons } from './use-cases/ports.js';

export const streamConnections = defineGauge('holdfast_event_stream_connections', 'Open event streams');
export const streamDelivered = defineCounter('holdfast_event_stream_delivered_total', 'Events delivered to open streams');
export const streamDisconnected = defineCounter(
  'holdfast_event_stream_disconnected_total',
  'Event streams closed by the server',
  {
    reason: disconnectReasons,
  },
);
export const streamLag = defineGauge(
  'holdfast_event_stream_lag_seconds',
  'Time from an event to its delivery to open streams in this process; grows while appended events are not delivered',
);
export const logWaiting = defineGauge('holdfast_event_log_waiting_messages', 'Messages that wait to be appended');
export const logAppended = defineCounter('holdfast_event_log_appended_total', 'Events appended to the log by this process');

export const webhookAttempts = defineHistogram(
  'holdfast_webhook_attempt_duration_seconds',
  'Duration of attempts to deliver an event to a webhook endpoint, by outcome',
  { labels: { outcome: ['DELIVERED', ...webhookAttemptErrors] }, buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15] },
);
export const webhookDeliveries = defineCounter('holdfast_webhook_deliveries_total', 'Webhook deliveries that have ended', {
  status: ['DELIVERED', 'EXHAUSTED', 'CANCELED'],
});
export const webhookEndpointsFailing = defineGauge(
  'holdfast_webhook_endpoints_failing',
  'Enabled webhook endpoints whose attempts have all failed for an hour',
);
export const webhookOldestDue = defineGauge(
  'holdfast_webhook_oldest_due_seconds',
  'How long the webhook endpoint that waits longest has had a delivery due',
);

export const metrics: readonly MetricDeclaration[] = [
  streamConnections,
  streamDelivered,
  streamDisconnected,
  streamLag,
  logWaiting,
  logAppended,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpointsFailing,
  webhookOldestDue,
];
