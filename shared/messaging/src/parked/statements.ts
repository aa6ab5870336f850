/** A message that is parked again starts anew: with its new failures, and not redriven. */
export const parkMessage = {
  name: 'park-message',
  text: `
  insert into parked_messages (message_id, type, body, attempts, reason)
  values ($1, $2, $3, $4, $5)
  on conflict (message_id) do update
  set type = excluded.type,
    body = excluded.body,
    attempts = excluded.attempts,
    reason = excluded.reason,
    parked_at = clock_timestamp(),
    redriven_at = null`,
};

export const deleteParked = {
  name: 'delete-parked-messages',
  text: `
  delete from parked_messages
  where message_id = any($1::text[])`,
};

const instant = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const summary = `
    message_id as "messageId",
    type,
    attempts,
    reason,
    ${instant('parked_at')} as "parkedAt",
    ${instant('redriven_at')} as "redrivenAt"`;

const oldestFirst = `
  from parked_messages
  order by parked_at, message_id
  limit $1`;

export const selectParked = `
  select ${summary},
    body ${oldestFirst}`;

export const selectSummaries = `
  select ${summary} ${oldestFirst}`;

export const countParked = `
  select count(*)::integer as count
  from parked_messages`;

/** Without ids ($3 is null), selects from all parked messages. */
export const selectToRedrive = `
  select message_id as "messageId", type, body
  from parked_messages
  where parked_at < $1::timestamptz
    and message_id > $2
    and ($3::text[] is null or message_id = any($3::text[]))
  order by message_id
  limit $4`;

export const markRedriven = `
  update parked_messages
  set redriven_at = now()
  where message_id = any($1::text[]) and parked_at < $2::timestamptz`;
