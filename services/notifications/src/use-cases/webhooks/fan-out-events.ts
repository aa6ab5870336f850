import type { MarketplaceId, WebhookEndpointId } from '@holdfast/kernel/ids';
import { matchesTypes } from '../../domain/webhooks/type-filter.js';
import type { NewDelivery, QueuedEvent, Receiver, WorkerDeps } from './ports.js';
import { deliveryOf, type Queueing } from './queue-events.js';

export type FannedOut = {
  readonly endpointIds: readonly WebhookEndpointId[];
  /** The endpoints among them that a process has leased, this one or another: they are not claimed again. */
  readonly leasedIds: readonly WebhookEndpointId[];
  readonly isMore: boolean;
};

const eventsMax = 500;

type FanOutDeps = Pick<WorkerDeps, 'inTransaction' | 'newId' | 'newContext'>;

/**
 * Makes deliveries of the next events of the log. The position moves in the same commit, so each event has one first delivery to each
 * endpoint, whatever dies in between.
 */
export function fanOutEvents({ inTransaction, newId, newContext }: FanOutDeps): Promise<FannedOut> {
  const ctx = newContext();
  return inTransaction(ctx, async (tx) => {
    const events = await tx.log.eventsAfter(await tx.log.lockPosition(), eventsMax);
    const last = events.at(-1);
    if (last === undefined) return { endpointIds: [], leasedIds: [], isMore: false };
    const receivers = await tx.endpoints.lockReceivers([...new Set(events.map(({ marketplaceId }) => marketplaceId))]);
    const deliveries = deliveriesOf(events, receivers, { newId, at: ctx.at, isReplay: false });
    if (deliveries.length > 0) await tx.deliveries.insert(deliveries);
    await tx.log.savePosition(last.position);
    const endpointIds = new Set(deliveries.map(({ endpointId }) => endpointId));
    const leasedIds = receivers.filter(({ id, isLeased }) => isLeased && endpointIds.has(id)).map(({ id }) => id);
    return { endpointIds: [...endpointIds], leasedIds, isMore: events.length === eventsMax };
  });
}

function deliveriesOf(
  events: readonly QueuedEvent[],
  receivers: readonly Receiver[],
  queueing: Queueing,
): readonly NewDelivery[] {
  const byMarketplace = new Map<MarketplaceId, Receiver[]>();
  for (const receiver of receivers) {
    const known = byMarketplace.get(receiver.marketplaceId);
    if (known === undefined) byMarketplace.set(receiver.marketplaceId, [receiver]);
    else known.push(receiver);
  }
  return events.flatMap((event) =>
    (byMarketplace.get(event.marketplaceId) ?? [])
      .filter(({ fanOutAfter, types }) => event.position > fanOutAfter && matchesTypes(types, event.eventType))
      .map((receiver) => deliveryOf(event, receiver, queueing)),
  );
}
