import type { z } from 'zod';
import type {
  webhookDeliveryWithLog,
  webhookEndpointWithSecret,
  WebhookDeliveryView,
  WebhookEndpointView,
} from '@holdfast/contracts/http';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.js';
import type { ShownDelivery } from '../use-cases/webhooks/ports.js';
import type { DeliveryWithLog } from '../use-cases/webhooks/read-webhooks.js';

export function viewOfEndpoint(endpoint: WebhookEndpoint): WebhookEndpointView {
  const { id, url, types, description, ordering, status, failingSince, disabledAt, disabledReason, createdAt, updatedAt } =
    endpoint;
  return {
    id,
    url,
    types: [...types],
    description,
    ordering,
    status,
    failingSince,
    disabledAt,
    disabledReason,
    createdAt,
    updatedAt,
  };
}

/** Only creation and rotation show the secret. */
export function viewWithSecret(endpoint: WebhookEndpoint): z.input<typeof webhookEndpointWithSecret> {
  return { ...viewOfEndpoint(endpoint), secret: endpoint.secret };
}

export function viewOfDelivery(delivery: ShownDelivery): WebhookDeliveryView {
  const { id, endpointId, eventId, eventType, aggregateId, status, attempts, nextAttemptAt, deliveredAt, createdAt } = delivery;
  return { id, endpointId, eventId, eventType, aggregateId, status, attempts, nextAttemptAt, deliveredAt, createdAt };
}

export function viewWithLog(delivery: DeliveryWithLog): z.input<typeof webhookDeliveryWithLog> {
  return { ...viewOfDelivery(delivery), attemptLog: [...delivery.attemptLog] };
}
