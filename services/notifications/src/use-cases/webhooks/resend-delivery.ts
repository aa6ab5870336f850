import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { WebhookDeliveryId } from '@holdfast/kernel/ids';
import { moved } from '@holdfast/kernel/states';
import { webhookDeliveryMoves } from '../../domain/webhooks/webhook-delivery-states.js';
import { webhookEndpointMoves } from '../../domain/webhooks/webhook-endpoint-states.js';
import type { NewDelivery, ShownDelivery, WebhookDeps } from './ports.js';
import { pendingDelivery } from './test-endpoint.js';

/** Creates another delivery of the same event. It does not wait for other deliveries of its aggregate, because the request names it alone. */
export function resendDelivery(
  deps: WebhookDeps,
  input: { readonly id: WebhookDeliveryId },
  ctx: Context,
): Promise<ShownDelivery> {
  const { marketplaceId } = ctx.caller;
  return deps.perform({ name: 'resendWebhookDelivery', input, ctx }, async (tx) => {
    const seen = await tx.deliveries.find(marketplaceId, input.id);
    const endpoint = seen === undefined ? undefined : await tx.endpoints.lock(marketplaceId, seen.endpointId);
    // Its status may have changed until the endpoint was locked.
    const delivery = endpoint === undefined ? undefined : await tx.deliveries.find(marketplaceId, input.id);
    if (endpoint === undefined || delivery === undefined)
      throw new AppError('WEBHOOK_DELIVERY_NOT_FOUND', { deliveryId: input.id });
    moved(webhookEndpointMoves, 'deliver', endpoint.status);
    moved(webhookDeliveryMoves, 'resend', delivery.status);
    const { status, attempts, nextAttemptAt, deliveredAt, ...event } = delivery;
    if (event.body === null && !(await tx.log.hasEvent(event))) throw new AppError('EVENT_NOT_FOUND', { eventId: event.eventId });
    const again: NewDelivery = { ...event, id: deps.newId('whd'), isReplay: true, isOrdered: false, createdAt: ctx.at };
    await tx.deliveries.insert([again]);
    tx.wakeWorkers();
    return pendingDelivery(again);
  });
}
