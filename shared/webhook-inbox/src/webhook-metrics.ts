import { defineCounter, defineHistogram, type MetricDeclaration } from '@holdfast/observability';
import { eventResults } from './webhook-event.js';

export const eventOutcomes = defineCounter(
  'holdfast_webhook_events_total',
  'Events of a provider by what became of them; refused: not signed by the provider',
  { outcome: [...eventResults, 'duplicate', 'refused'] },
);

export const eventLag = defineHistogram(
  'holdfast_webhook_event_lag_seconds',
  'Time from the receipt of an event that is not ignored to its application, or to the last attempt',
  { buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600] },
);

/** The metrics of a service with webhooks. */
export const webhookMetrics: readonly MetricDeclaration[] = [eventOutcomes, eventLag];
