import { idFromParts, type MarketplaceId, type MessageId, type WebhookEndpointId } from '@holdfast/kernel/ids';
import type { Instant } from '@holdfast/kernel/instants';

/** An event of the log. */
export type LoggedEvent = {
  readonly position: bigint;
  readonly appendedAt: Instant;
  readonly marketplaceId: MarketplaceId;
  /** Within a marketplace it has the order of the log. */
  readonly occurredAt: Instant;
  readonly eventId: MessageId;
  readonly eventType: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
};

/**
 * The first delivery of an event to an endpoint, before it has a row. Its id follows from both, so that every process that reads the event
 * from the log makes the same delivery.
 */
export function firstDelivery(event: LoggedEvent, endpointId: WebhookEndpointId) {
  const { marketplaceId, occurredAt, eventId, eventType, aggregateType, aggregateId, position, appendedAt } = event;
  return {
    id: idFromParts('whd', appendedAt, [endpointId, eventId]),
    endpointId,
    marketplaceId,
    eventId,
    eventType,
    aggregateType,
    aggregateId,
    position,
    eventAppendedAt: appendedAt,
    body: null,
    isReplay: false,
    createdAt: occurredAt,
  };
}
