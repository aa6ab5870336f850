import { defineCounter, defineGauge, type MetricDeclaration } from '@holdfast/observability';
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

export const metrics: readonly MetricDeclaration[] = [
  streamConnections,
  streamDelivered,
  streamDisconnected,
  streamLag,
  logWaiting,
  logAppended,
];
