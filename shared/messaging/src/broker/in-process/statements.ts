/**
 * The ordinality makes positions follow the order of the messages in the call. A message that is in the queue already is repeated and
 * gets a new position, from which `finishDelivery` sees that it was published again.
 */
export const insertDeliveries = {
  name: 'insert-deliveries',
  text: `
  insert into deliveries (queue, message_id, type, body, is_repeated)
  select queue, message_id, type, body, $5
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as fresh (queue, message_id, type, body, nth)
  order by nth
  on conflict (queue, message_id) do update
  set position = default, is_repeated = true`,
};

/**
 * Leases due rows. The lease is committed before any handler runs: if the process crashes, the row is due again when the lease has expired,
 * as a repeated one. The commit is asynchronous, because a lease that is lost in a crash of the server only causes one more delivery. A
 * message that was parked after its lease is durable only if the lease is.
 */
export const takeDue = {
  name: 'take-due-deliveries',
  text: `
  with asynchronous_commit as materialized (
    select set_config('synchronous_commit', 'off', true)
  ),
  due as materialized (
    select message_id, is_repeated
    from deliveries
    where queue = $1 and available_at <= now()
    order by available_at, position
    limit $2
    for update skip locked
  ),
  taken as (
    update deliveries
    set available_at = now() + make_interval(secs => $3), is_repeated = true
    from due, asynchronous_commit
    where deliveries.queue = $1 and deliveries.message_id = due.message_id
    returning deliveries.message_id, type, body, attempts, position, due.is_repeated
  )
  select message_id as "messageId", type, body, attempts, position, is_repeated as "isRepeated"
  from taken
  order by position`,
};

/**
 * Sets the end of leases: later while handlers run, now to release them. Skips rows whose attempts have changed since they were
 * leased: those were scheduled for a retry meanwhile, at their own time.
 */
export const setLeaseEnds = {
  name: 'set-delivery-lease-ends',
  text: `
  with leased as materialized (
    select deliveries.message_id
    from unnest($2::text[], $3::integer[]) as taken (message_id, attempts)
    join deliveries
      on deliveries.queue = $1
        and deliveries.message_id = taken.message_id
        and deliveries.attempts = taken.attempts
    for update of deliveries skip locked
  )
  update deliveries
  set available_at = now() + make_interval(secs => $4)
  from leased
  where deliveries.queue = $1 and deliveries.message_id = leased.message_id`,
};

/**
 * Deletes a row that is handled or parked. A row that was published again since it was leased, which its position shows, becomes due
 * instead. The row is locked first, because it may be published again at this moment. A condition on its position alone would then find it
 * as it was before, and do neither. The commit is asynchronous, because a delete lost in a crash of the server only causes one more delivery.
 */
export const finishDelivery = {
  name: 'finish-delivery',
  text: `
  with asynchronous_commit as materialized (
    select set_config('synchronous_commit', 'off', true)
  ),
  finished as materialized (
    select position = $3 as is_last
    from deliveries, asynchronous_commit
    where queue = $1 and message_id = $2
    for update of deliveries
  ),
  deleted as (
    delete from deliveries
    using finished
    where queue = $1
      and message_id = $2
      and finished.is_last
  )
  update deliveries
  set attempts = 0, available_at = now()
  from finished
  where queue = $1
    and message_id = $2
    and not finished.is_last`,
};

export const scheduleRetry = {
  name: 'schedule-delivery-retry',
  text: `
  update deliveries
  set attempts = $3, available_at = now() + make_interval(secs => $4)
  where queue = $1 and message_id = $2`,
};

/** When the first row of each queue can be leased, the earliest first. */
export const selectFirstAvailable = {
  name: 'select-first-available-deliveries',
  text: `
  select consumed.queue, (extract(epoch from first.available_at - clock_timestamp()) * 1000)::float8 as "inMs"
  from unnest($1::text[]) as consumed (queue)
  cross join lateral (
    select available_at
    from deliveries
    where deliveries.queue = consumed.queue
    order by available_at
    limit 1
  ) as first
  order by first.available_at`,
};

/** A row with failed attempts waits for its retry, or is being handled again. Parked messages leave the table at once. */
export const countDeliveries = {
  name: 'count-deliveries',
  text: `
  select count(*) filter (where attempts = 0)::integer as work,
    count(*) filter (where attempts > 0)::integer as retry,
    0 as parking
  from deliveries
  where queue = $1`,
};
