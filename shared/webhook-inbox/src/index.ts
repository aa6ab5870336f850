export { insertionWith } from './event-sql.js';
export { webhookInboxMigrations } from './migrations.js';
export type {
  ClaimedEvent,
  EventContext,
  EventOutcome,
  FinalOutcome,
  HandleEvent,
  KnownOutcome,
  ReceivedEvent,
  WebhookEvent,
} from './webhook-event.js';
export { createWebhookInbox, type Receipt, type WebhookInbox } from './webhook-inbox.js';
export { webhookMetrics } from './webhook-metrics.js';
