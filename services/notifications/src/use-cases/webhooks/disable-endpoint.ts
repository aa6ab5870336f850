import type { Context } from '@holdfast/kernel/context';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { disabled, type WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.js';
import { cancelDeliveries } from './cancel-deliveries.js';
import { publishDisabled } from './endpoint-messages.js';
import { lockEndpoint } from './lock-endpoint.js';
import type { WebhookDeps } from './ports.js';

export function disableEndpoint(
  deps: WebhookDeps,
  input: { readonly id: WebhookEndpointId },
  ctx: Context,
): Promise<WebhookEndpoint> {
  return deps.perform({ name: 'disableWebhookEndpoint', input, ctx }, async (tx) => {
    const before = await lockEndpoint(tx, input.id, ctx);
    const after = disabled(before, 'BY_HAND', ctx.at);
    await tx.endpoints.save(after);
    await cancelDeliveries(tx, after.id);
    publishDisabled(tx, before, after, ctx);
    return after;
  });
}
