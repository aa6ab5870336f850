import type { Context } from '@holdfast/kernel/context';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { firstDelivery } from '../../domain/webhooks/first-delivery.js';
import type { WorkerDeps } from './worker-ports.js';

export type Behind = {
  readonly endpointId: WebhookEndpointId;
  /** Each event up to this position has a row. */
  readonly after: bigint;
};

export type StoredBacklog = { readonly endpointId: WebhookEndpointId; readonly until: bigint; readonly isMore: boolean };

const eventsMax = 500;

/** Inserts deliveries of the next events of endpoints that do not keep up, so that they can be seen, and their batches end. */
export function storeBacklog(
  { inTransaction }: Pick<WorkerDeps, 'inTransaction'>,
  behind: readonly Behind[],
  ctx: Context,
): Promise<readonly StoredBacklog[]> {
  return inTransaction(ctx, async (tx) => {
    await tx.endpoints.lockAll(
      behind.map(({ endpointId }) => endpointId),
      [],
    );
    const stored: StoredBacklog[] = [];
    for (const { endpointId, after } of behind) {
      const events = await tx.batches.events(endpointId, after, eventsMax);
      const last = events.at(-1);
      if (last === undefined) continue;
      await tx.deliveries.insert(events.map((event) => ({ ...firstDelivery(event, endpointId), isOrdered: true })));
      stored.push({ endpointId, until: last.position, isMore: events.length === eventsMax });
    }
    if (stored.length > 0) await tx.batches.remove(stored.map(({ endpointId, until }) => ({ endpointId, position: until })));
    return stored;
  });
}
