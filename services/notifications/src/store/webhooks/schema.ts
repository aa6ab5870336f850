import type { Instant } from '@holdfast/kernel/context';
import { columnsOf, tableOf } from '@holdfast/postgres';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.js';
import type { AttemptRecord, DeliverySubject, WebhookDelivery } from '../../use-cases/webhooks/ports.js';

export type EndpointRow = Omit<WebhookEndpoint, 'secret' | 'previous' | 'version'> & {
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
  readonly previousValidUntil: Instant | null;
  readonly version: bigint;
};

export type DeliveryRow = WebhookDelivery;
export type DeliveryLogRow = { readonly id: WebhookDelivery['id']; readonly attemptLog: readonly AttemptRecord[] };
export type FanOutRow = { readonly isOnly: boolean; readonly position: bigint };

export const fanOut = tableOf<FanOutRow>('webhook_fan_out')({
  isOnly: { column: 'is_only', type: 'boolean', isPrimary: true },
  position: { column: 'position', type: 'bigint' },
});

export const endpoints = tableOf<EndpointRow>('webhook_endpoints')({
  id: { column: 'id', type: 'text', isPrimary: true },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  url: { column: 'url', type: 'text' },
  types: { column: 'types', type: 'text[]' },
  description: { column: 'description', type: 'text' },
  ordering: { column: 'ordering', type: 'text' },
  status: { column: 'status', type: 'text' },
  secret: { column: 'secret_sealed', type: 'bytea' },
  previousSecret: { column: 'previous_secret_sealed', type: 'bytea' },
  previousValidUntil: { column: 'previous_valid_until', type: 'timestamptz' },
  failedSince: { column: 'failed_since', type: 'timestamptz' },
  failingSince: { column: 'failing_since', type: 'timestamptz' },
  disabledAt: { column: 'disabled_at', type: 'timestamptz' },
  disabledReason: { column: 'disabled_reason', type: 'text' },
  deletedAt: { column: 'deleted_at', type: 'timestamptz' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
  updatedAt: { column: 'updated_at', type: 'timestamptz' },
  version: { column: 'version', type: 'bigint' },
});

export const deliveries = tableOf<DeliveryRow>('webhook_deliveries')({
  id: { column: 'id', type: 'text', isPrimary: true },
  endpointId: { column: 'endpoint_id', type: 'text' },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  eventId: { column: 'event_id', type: 'text' },
  eventType: { column: 'event_type', type: 'text' },
  aggregateType: { column: 'aggregate_type', type: 'text' },
  aggregateId: { column: 'aggregate_id', type: 'text' },
  position: { column: 'position', type: 'bigint' },
  eventAppendedAt: { column: 'event_appended_at', type: 'timestamptz' },
  body: { column: 'body', type: 'text' },
  isReplay: { column: 'is_replay', type: 'boolean' },
  status: { column: 'status', type: 'text' },
  attempts: { column: 'attempts', type: 'integer' },
  nextAttemptAt: { column: 'next_attempt_at', type: 'timestamptz' },
  deliveredAt: { column: 'delivered_at', type: 'timestamptz' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
});

const { status: _status, attempts: _attempts, nextAttemptAt: _next, deliveredAt: _delivered, ...subject } = deliveries.columns;

/** The columns that never change. */
export const subjectColumns = columnsOf<DeliverySubject>()(subject);

export const isOpen = `status in ('PENDING', 'RETRYING')`;
