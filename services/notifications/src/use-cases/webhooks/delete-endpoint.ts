import type { Context } from '@holdfast/kernel/context';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { deleted, type WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.js';
import { cancelDeliveries } from './cancel-deliveries.js';
import { publishAudit } from './endpoint-messages.js';
import { lockEndpoint } from './lock-endpoint.js';
import type { WebhookDeps } from './ports.js';

export function deleteEndpoint(
  deps: WebhookDeps,
  input: { readonly id: WebhookEndpointId },
  ctx: Context,
): Promise<WebhookEndpoint> {
  return deps.perform({ name: 'deleteWebhookEndpoint', input, ctx }, async (tx) => {
    const before = await lockEndpoint(tx, input.id, ctx);
    const after = deleted(before, ctx.at);
    await tx.endpoints.save(after);
    await cancelDeliveries(tx, after.id);
    publishAudit(tx, { action: 'WEBHOOK_ENDPOINT_DELETED', before, after }, ctx);
    return after;
  });
}
