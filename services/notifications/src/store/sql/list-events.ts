import type { BoundStatement } from '@holdfast/postgres';
import type { EventList } from '../../use-cases/ports.js';

export type EnvelopeRow = { readonly envelope: string };

/** When the event happened, if it is one of the marketplace's history. */
export const findEventMoment = {
  name: 'find-event-moment',
  text: `
  select occurred_at as "occurredAt"
  from events
  where event_id = $1
    and marketplace_id = $2`,
};

export const findEvent = {
  name: 'find-event',
  text: `
  select envelope
  from events
  where event_id = $1
    and marketplace_id = $2`,
};

const listed = `
  select envelope
  from events
  where marketplace_id = $1
    and occurred_at > $2`;

const ofPage = `
  order by occurred_at
  limit $3`;

/**
 * Each form reads one index in the order of the list. Of several types the first events of each are read, so that a rare type costs as
 * little as a frequent one.
 */
export function listEvents({ marketplaceId, after, types, aggregateId, limit }: EventList): Omit<BoundStatement, 'name'> {
  const values: readonly unknown[] = [marketplaceId, after, limit];
  if (aggregateId !== undefined) {
    const ofTypes = types === null ? '' : 'and event_type = any($5)';
    const text = `${listed}
    and aggregate_id = $4
    ${ofTypes}${ofPage}`;
    return { text, values: [...values, aggregateId, ...(types === null ? [] : [types])] };
  }
  return types === null ? { text: `${listed}${ofPage}`, values } : { text: firstOfEachType, values: [...values, types] };
}

const firstOfEachType = `
  select found.envelope
  from unnest($4::text[]) as given (event_type)
  cross join lateral (
    select envelope,
      occurred_at
    from events
    where marketplace_id = $1
      and event_type = given.event_type
      and occurred_at > $2
    order by occurred_at
    limit $3
  ) as found
  order by found.occurred_at
  limit $3`;

/** The newest events of each resource, newest first. */
export const newestOfResources = {
  name: 'newest-events-of-resources',
  text: `
  select found.event_id as "eventId",
    found.event_type as "eventType",
    found.occurred_at as "occurredAt",
    found.aggregate_type as "aggregateType",
    found.aggregate_id as "aggregateId"
  from unnest($2::text[]) as given (aggregate_id)
  cross join lateral (
    select event_id,
      event_type,
      occurred_at,
      aggregate_type,
      aggregate_id
    from events
    where marketplace_id = $1
      and aggregate_id = given.aggregate_id
    order by occurred_at desc
    limit $3
  ) as found
  order by found.occurred_at desc
  limit $3`,
};
