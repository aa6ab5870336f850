import type { Instant } from '@holdfast/kernel/context';
import { event, type EventOfHistory, type EventRecord } from '@holdfast/contracts/http';
import type { Database } from '@holdfast/postgres';
import type { EventLists } from '../use-cases/ports.js';
import { findEvent, findEventMoment, listEvents, newestOfResources, type EnvelopeRow } from './sql/list-events.js';

/** The log as a list. It uses the pool of lists, so that it never delays an append or a stream. */
export function eventLists({ lists }: Pick<Database, 'lists'>): EventLists {
  return {
    find: async (marketplaceId, eventId) =>
      (await lists.query<EnvelopeRow>(findEvent, [eventId, marketplaceId])).rows.map(toRecord)[0],
    momentOf: async (marketplaceId, eventId) =>
      (await lists.query<{ readonly occurredAt: Instant }>(findEventMoment, [eventId, marketplaceId])).rows[0]?.occurredAt,
    list: async (list) => (await lists.query<EnvelopeRow>(listEvents(list))).rows.map(toRecord),
    newestOf: async (marketplaceId, resourceIds, limit) =>
      (await lists.query<EventOfHistory>(newestOfResources, [marketplaceId, resourceIds, limit])).rows,
  };
}

/** The envelope is stored as it is shown. */
function toRecord({ envelope }: EnvelopeRow): EventRecord {
  return event.parse(JSON.parse(envelope));
}
