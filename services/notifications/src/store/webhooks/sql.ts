import { deliveries, endpoints, isOpen } from './schema.js';

export const queuedEvent = `
    events.position,
    events.appended_at as "appendedAt",
    events.marketplace_id as "marketplaceId",
    events.occurred_at as "occurredAt",
    events.event_id as "eventId",
    events.event_type as "eventType",
    events.aggregate_type as "aggregateType",
    events.aggregate_id as "aggregateId"`;

export const selectEventsAfter = {
  name: 'events-to-fan-out',
  text: `
  select ${queuedEvent}
  from events
  where position > $1
  order by position
  limit $2`,
};

/** Within a marketplace `occurred_at` and positions have the same order, so one index serves both. */
export const selectEventRange = {
  name: 'events-to-replay',
  text: `
  select ${queuedEvent}
  from events
  where marketplace_id = $1
    and occurred_at > $2
    and occurred_at <= $3
    and position > $4
    and position <= $5
    and ($6::text is null or not exists (
      select
      from ${deliveries.table} as received
      where received.event_id = events.event_id
        and received.endpoint_id = $6
        and received.status = 'DELIVERED'
    ))
  order by occurred_at
  limit $7`,
};

export const selectReceivers = {
  name: 'lock-webhook-receivers',
  text: `
  select id,
    marketplace_id as "marketplaceId",
    types,
    fan_out_after as "fanOutAfter",
    coalesce(leased_until > now(), false) as "isLeased"
  from ${endpoints.table}
  where marketplace_id = any($1)
    and status = 'ENABLED'
    and deleted_at is null
  order by id
  for no key update`,
};

export const lockEndpoints = {
  name: 'lock-webhook-endpoints',
  text: `
  with locked as materialized (
    select *
    from ${endpoints.table}
    where id = any($1)
    order by id
    for no key update
  )
  select ${endpoints.selected}
  from locked as ${endpoints.table}
  where id = any($2)
    or failed_since is not null
    or status = 'DISABLED'
    or deleted_at is not null`,
};

/** While no endpoint is enabled nothing is fanned out, and nothing of that time needs to be. */
export const skipToEnd = {
  name: 'skip-webhook-fan-out',
  text: `
  update webhook_fan_out
  set position = appender.last_position
  from appender
  where not exists (
    select
    from ${endpoints.table}
    where status = 'ENABLED'
      and deleted_at is null
  )`,
};

/** The endpoint must be locked. */
export const cancelOpen = {
  name: 'cancel-webhook-deliveries',
  text: `
  with canceled as (
    update ${deliveries.table}
    set status = 'CANCELED',
      next_attempt_at = null
    where endpoint_id = $1
      and ${isOpen}
    returning id
  ),
  idle as (
    update ${endpoints.table}
    set due_at = null
    where id = $1
      and due_at is not null
  )
  select count(*)::int as count
  from canceled`,
};

/** The endpoints must be locked. */
export const cancelDeliveries = {
  name: 'cancel-some-webhook-deliveries',
  text: `
  update ${deliveries.table}
  set status = 'CANCELED',
    next_attempt_at = null
  where id = any($1)
    and ${isOpen}`,
};

/** The endpoint must be locked. */
export const endWaits = {
  name: 'end-waits-of-webhook-deliveries',
  text: `
  with due as (
    update ${deliveries.table}
    set next_attempt_at = $2
    where endpoint_id = $1
      and ${isOpen}
      and next_attempt_at is null
    returning id
  )
  update ${endpoints.table}
  set due_at = least(due_at, $2::timestamptz)
  where id = $1
    and exists (select from due)`,
};

/** The endpoints must be locked. Their due time is set when their lease is released. */
export const dueNext = {
  name: 'next-webhook-deliveries',
  text: `
  with ended as (
    select distinct endpoint_id, is_replay, aggregate_type, aggregate_id
    from ${deliveries.table}
    where id = any($1)
  )
  update ${deliveries.table}
  set next_attempt_at = $2
  from ended
  cross join lateral (
    select id, next_attempt_at
    from ${deliveries.table} as open
    where open.endpoint_id = ended.endpoint_id
      and open.is_replay = ended.is_replay
      and open.aggregate_type = ended.aggregate_type
      and open.aggregate_id = ended.aggregate_id
      and open.${isOpen}
    order by position
    limit 1
  ) as first
  where ${deliveries.table}.id = first.id
    and first.next_attempt_at is null`,
};
