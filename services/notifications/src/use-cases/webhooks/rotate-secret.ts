import type { Context } from '@holdfast/kernel/context';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { rotated, type WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.js';
import { publishAudit } from './endpoint-messages.js';
import { lockEndpoint } from './lock-endpoint.js';
import type { WebhookDeps } from './ports.js';

export type RotateSecret = { readonly id: WebhookEndpointId; readonly overlapSeconds: number };

export function rotateSecret(deps: WebhookDeps, input: RotateSecret, ctx: Context): Promise<WebhookEndpoint> {
  const { id, overlapSeconds } = input;
  return deps.perform({ name: 'rotateWebhookSecret', input, ctx }, async (tx) => {
    const before = await lockEndpoint(tx, id, ctx);
    const after = rotated(before, { secret: deps.newSecret(), overlapSeconds }, ctx.at);
    await tx.endpoints.save(after);
    publishAudit(tx, { action: 'WEBHOOK_ENDPOINT_SECRET_ROTATED', before, after }, ctx);
    return after;
  });
}
