import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { firstDelivery } from '../../domain/webhooks/first-delivery.js';
import type { WebhookUnitOfWork } from './ports.js';

const pageMax = 1_000;

/**
 * Cancels all open deliveries of an endpoint. An event that has no row yet gets a canceled one. The endpoint must be locked. Returns how many
 * it has canceled.
 */
export async function cancelDeliveries(
  tx: Pick<WebhookUnitOfWork, 'deliveries' | 'batches'>,
  endpointId: WebhookEndpointId,
): Promise<number> {
  let count = await tx.deliveries.cancelOpen(endpointId);
  let after = 0n;
  for (let isMore = true; isMore;) {
    const events = await tx.batches.events(endpointId, after, pageMax);
    count += await tx.deliveries.store(
      events.map((event) => ({
        subject: firstDelivery(event, endpointId),
        status: 'CANCELED',
        attempts: 0,
        attempt: null,
        nextAttemptAt: null,
        deliveredAt: null,
      })),
    );
    const last = events.at(-1);
    after = last?.position ?? after;
    isMore = events.length === pageMax;
  }
  await tx.batches.removeAll(endpointId);
  return count;
}
