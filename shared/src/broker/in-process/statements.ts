/** Rows are locked in one order, so that two batches with the same messages cannot wait for each other. */
export const insertDeliveries = `
  insert into deliveries (queue, message_id, type, body, available_at)
  select queue, message_id, type, body, $5
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as fresh (queue, message_id, type, body)
  order by queue, message_id
  on conflict do nothing
  returning queue, message_id`;

export const deleteHandled = `
  delete from deliveries
  using unnest($1::text[], $2::text[]) as handled (queue, message_id)
  where deliveries.queue = handled.queue and deliveries.message_id = handled.message_id`;

export const postponeFailed = `
  update deliveries
  set attempts = failed.attempts, available_at = failed.available_at
  from unnest($1::text[], $2::text[], $3::integer[], $4::timestamptz[]) as failed (queue, message_id, attempts, available_at)
  where deliveries.queue = failed.queue and deliveries.message_id = failed.message_id`;

export const parkFailed = `
  update deliveries
  set attempts = failed.attempts, reason = failed.reason, parked_at = $5
  from unnest($1::text[], $2::text[], $3::integer[], $4::text[]) as failed (queue, message_id, attempts, reason)
  where deliveries.queue = failed.queue and deliveries.message_id = failed.message_id`;

/** What is in memory already is left out. */
export const selectDue = `
  select message_id, type, body, attempts
  from deliveries
  where queue = $1 and parked_at is null and available_at <= $2 and message_id <> all ($3::text[])
  order by available_at
  limit $4`;

export const selectNextDue = `
  select extract(epoch from min(available_at) - $2::timestamptz)::float8 * 1000 as in_ms
  from deliveries
  where queue = $1 and parked_at is null and available_at > $2::timestamptz`;

export const selectParked = `
  select message_id, type, body, attempts, reason, to_char(parked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as parked_at
  from deliveries
  where queue = $1 and parked_at is not null
  order by parked_at, message_id
  limit $2`;

/** All of them where no ids are given. */
export const redriveParked = `
  update deliveries
  set parked_at = null, reason = null, attempts = 0, available_at = $3
  where queue = $1 and parked_at is not null and ($2::text[] is null or message_id = any ($2::text[]))`;

/** Held as long as the session lives; one per schema. */
export const tryLock = `
  select pg_try_advisory_lock(hashtextextended('holdfast:broker:' || current_schema(), 0)) as is_owner`;

/** A lost deletion means one more delivery, which every handler bears; waiting for the disk would gain nothing. */
export const dontWaitForDisk = 'set synchronous_commit = off';
