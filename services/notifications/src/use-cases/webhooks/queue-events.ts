import type { Instant } from '@holdfast/kernel/context';
import type { NewId } from '@holdfast/kernel/ids';
import { matchesTypes } from '../../domain/webhooks/type-filter.js';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.js';
import type { EventRange, NewDelivery, QueuedEvent, WebhookUnitOfWork } from './ports.js';

export type Queueing = {
  readonly newId: NewId;
  readonly at: Instant;
  readonly isReplay: boolean;
};

/** A new delivery of an event of the log. */
function deliveryOf(
  event: QueuedEvent,
  { id: endpointId, ordering }: Pick<WebhookEndpoint, 'id' | 'ordering'>,
  { newId, at, isReplay }: Queueing,
): NewDelivery {
  const { marketplaceId, eventId, eventType, aggregateType, aggregateId, position, appendedAt } = event;
  return {
    id: newId('whd'),
    endpointId,
    marketplaceId,
    eventId,
    eventType,
    aggregateType,
    aggregateId,
    position,
    eventAppendedAt: appendedAt,
    body: null,
    isReplay,
    isOrdered: ordering === 'aggregate',
    createdAt: at,
  };
}

const pageMax = 1_000;

/** Queues the events of a range that match the types of the endpoint, page by page. Returns how many. */
export async function queueRange(
  tx: Pick<WebhookUnitOfWork, 'deliveries' | 'log'>,
  endpoint: Pick<WebhookEndpoint, 'id' | 'types' | 'ordering'>,
  range: Omit<EventRange, 'limit'>,
  queueing: Queueing,
): Promise<number> {
  let { after } = range;
  let count = 0;
  for (let isMore = true; isMore;) {
    const events = await tx.log.events({ ...range, after, limit: pageMax });
    const matching = events.filter(({ eventType }) => matchesTypes(endpoint.types, eventType));
    await tx.deliveries.insert(matching.map((event) => deliveryOf(event, endpoint, queueing)));
    count += matching.length;
    after = events.at(-1)?.occurredAt ?? after;
    isMore = events.length === pageMax;
  }
  return count;
}
