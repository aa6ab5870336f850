import type { MarketplaceId, WebhookEndpointId } from '@holdfast/kernel/ids';
import { matchesTypes } from '../../domain/webhooks/type-filter.js';
import type { EventBatch, QueuedEvent, Receiver } from './ports.js';
import type { WorkerDeps } from './worker-ports.js';

export type FannedOut = {
  readonly endpointIds: readonly WebhookEndpointId[];
  /** The endpoints among them that a process has leased, this one or another: they are not claimed again. */
  readonly leasedIds: readonly WebhookEndpointId[];
  readonly isMore: boolean;
};

const eventsMax = 500;

type FanOutDeps = Pick<WorkerDeps, 'inTransaction' | 'newContext'>;

/**
 * Makes batches of the next events of the log, one for each endpoint. The position moves in the same commit, so each event is in one
 * batch of each endpoint, whatever dies in between.
 */
export function fanOutEvents({ inTransaction, newContext }: FanOutDeps): Promise<FannedOut> {
  const ctx = newContext();
  return inTransaction(ctx, async (tx) => {
    const events = await tx.log.eventsAfter(await tx.log.lockPosition(), eventsMax);
    const last = events.at(-1);
    if (last === undefined) return { endpointIds: [], leasedIds: [], isMore: false };
    const receivers = await tx.endpoints.lockReceivers([...new Set(events.map(({ marketplaceId }) => marketplaceId))]);
    const batches = batchesOf(events, receivers);
    if (batches.length > 0) await tx.batches.insert(batches, ctx.at);
    await tx.log.savePosition(last.position);
    const endpointIds = new Set(batches.map(({ endpointId }) => endpointId));
    const leasedIds = receivers.filter(({ id, isLeased }) => isLeased && endpointIds.has(id)).map(({ id }) => id);
    return { endpointIds: [...endpointIds], leasedIds, isMore: events.length === eventsMax };
  });
}

function batchesOf(events: readonly QueuedEvent[], receivers: readonly Receiver[]): readonly EventBatch[] {
  const byMarketplace = new Map<MarketplaceId, QueuedEvent[]>();
  for (const event of events) {
    const known = byMarketplace.get(event.marketplaceId);
    if (known === undefined) byMarketplace.set(event.marketplaceId, [event]);
    else known.push(event);
  }
  return receivers.flatMap(({ id, marketplaceId, types, fanOutAfter }) => {
    const matching = (byMarketplace.get(marketplaceId) ?? []).filter(
      ({ position, eventType }) => position > fanOutAfter && matchesTypes(types, eventType),
    );
    return matching.length === 0 ? [] : [{ endpointId: id, events: matching }];
  });
}
