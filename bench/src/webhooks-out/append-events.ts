import type { Client } from 'pg';
import { systemClock } from '@holdfast/kernel/context';
import { idFactory, type Id, type MarketplaceId } from '@holdfast/kernel/ids';

const newId = idFactory(systemClock().epochMs);

/** Events of different orders, appended to the log by one statement: what the broker and the appender take is measured elsewhere. */
export async function appendEvents(client: Client, marketplaceIds: readonly MarketplaceId[]): Promise<void> {
  const events = marketplaceIds.map((marketplaceId) => ({ eventId: newId('evt'), orderId: newId('ord'), marketplaceId }));
  await client.query(appendText, [
    marketplaceIds,
    events.map(({ eventId }) => eventId),
    events.map(({ orderId }) => orderId),
    events.map(eventBody),
  ]);
}

const appendText = `
  with moved as (
    update notifications.appender
    set last_position = last_position + cardinality($1::text[])
    returning last_position - cardinality($1::text[]) as position
  )
  insert into notifications.events
    (position, appended_at, marketplace_id, occurred_at, event_id, event_type, aggregate_type, aggregate_id, envelope)
  select moved.position + given.nth, now(), given.marketplace_id, clock_timestamp(), given.event_id, 'order.closed', 'Order', given.order_id,
    given.envelope
  from moved
  cross join unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality
    as given (marketplace_id, event_id, order_id, envelope, nth)`;

type Event = { readonly eventId: string; readonly orderId: Id<'ord'>; readonly marketplaceId: MarketplaceId };

/** An event as the stream shows it. */
export function eventBody({ eventId, orderId, marketplaceId }: Event): string {
  return JSON.stringify({
    eventId,
    eventType: 'order.closed',
    occurredAt: '2026-01-31T12:00:00.123456Z',
    aggregateId: orderId,
    aggregateType: 'Order',
    payload: { orderId, finalStatus: 'RELEASED', closedAt: '2026-01-31T12:00:00.123456Z' },
    metadata: {
      correlationId: '7f0c1a52-3f5e-4c1b-9a53-0c2f6f0f7d11',
      causationId: null,
      marketplaceId,
      producedAt: '2026-01-31T12:00:00.123456Z',
      aggregateVersion: 1,
    },
  });
}
