import type { Context } from '@holdfast/kernel/context';
import { auditRecorded, webhookEndpointDisabled, webhookEndpointFailing } from '@holdfast/contracts/messages';
import type { MessageId } from '@holdfast/kernel/ids';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.js';
import type { WebhookUnitOfWork } from './ports.js';

type Publishing = Pick<WebhookUnitOfWork, 'publish'>;

export type EndpointAction =
  | 'WEBHOOK_ENDPOINT_CREATED'
  | 'WEBHOOK_ENDPOINT_UPDATED'
  | 'WEBHOOK_ENDPOINT_DELETED'
  | 'WEBHOOK_ENDPOINT_DISABLED'
  | 'WEBHOOK_ENDPOINT_ENABLED'
  | 'WEBHOOK_ENDPOINT_SECRET_ROTATED';

export type AuditedChange = {
  readonly action: EndpointAction;
  readonly before: WebhookEndpoint | null;
  readonly after: WebhookEndpoint;
  /** The public event that the entry reports, if there is one. */
  readonly eventId?: MessageId;
};

/** Publishes the audit entry in the transaction of its change. */
export function publishAudit(tx: Publishing, { action, before, after, eventId }: AuditedChange, ctx: Context): void {
  const { caller, at } = ctx;
  tx.publish(auditRecorded, {
    ...sourceOf(after),
    afterEventId: eventId,
    payload: {
      action,
      resourceType: 'WebhookEndpoint',
      resourceId: after.id,
      actorType: caller.type,
      actorId: caller.id,
      result: 'SUCCESS',
      reason: after.disabledReason,
      before: before === null ? null : audited(before),
      after: audited(after),
      recordedAt: at,
    },
  });
}

/** Disabling by hand, by 410 and by failures is the same event and the same audit entry. */
export function publishDisabled(tx: Publishing, before: WebhookEndpoint, after: WebhookEndpoint, ctx: Context): void {
  const { id: endpointId, url, failingSince, disabledAt, disabledReason } = after;
  if (disabledAt === null || disabledReason === null) throw new Error(`The webhook endpoint ${endpointId} is not disabled.`);
  const payload = { endpointId, url, failingSince, disabledAt, disabledReason };
  const eventId = tx.publish(webhookEndpointDisabled, { ...sourceOf(after), payload });
  publishAudit(tx, { action: 'WEBHOOK_ENDPOINT_DISABLED', before, after, eventId }, ctx);
}

export function publishFailing(tx: Publishing, endpoint: WebhookEndpoint): void {
  const { id: endpointId, url, failingSince } = endpoint;
  const payload = { endpointId, url, failingSince, disabledAt: null, disabledReason: null };
  tx.publish(webhookEndpointFailing, { ...sourceOf(endpoint), payload });
}

function sourceOf({ id, version, marketplaceId }: WebhookEndpoint) {
  return { aggregateId: id, aggregateVersion: version, marketplaceId };
}

/** The endpoint without its secrets, for the audit trail. */
function audited({ url, types, description, ordering, status, previous, disabledReason }: WebhookEndpoint) {
  return { url, types, description, ordering, status, previousSecretValidUntil: previous?.validUntil ?? null, disabledReason };
}
