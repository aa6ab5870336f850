/** A whole batch in one statement: events, the numbers and moments they end at, keys that changed, and where the log ends. */
export const appendEvents = {
  name: 'append-events',
  text: `
  with appended as (
    insert into events (
      position, appended_at, marketplace_id, occurred_at, event_id, event_type, aggregate_type, envelope
    )
    select position, $2, marketplace_id, occurred_at, event_id, event_type, aggregate_type, envelope
    from unnest($3::bigint[], $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::text[], $9::text[])
      as event (position, marketplace_id, occurred_at, event_id, event_type, aggregate_type, envelope)
  ),
  headed as (
    insert into aggregate_heads (aggregate, version)
    select aggregate, version
    from unnest($10::text[], $11::bigint[]) as head (aggregate, version)
    on conflict (aggregate) do update
    set version = greatest(aggregate_heads.version, excluded.version)
  ),
  clocked as (
    insert into marketplace_clocks (marketplace_id, last_occurred_at)
    select marketplace_id, last_occurred_at
    from unnest($12::text[], $13::timestamptz[]) as clock (marketplace_id, last_occurred_at)
    on conflict (marketplace_id) do update
    set last_occurred_at = excluded.last_occurred_at
  ),
  changed as (
    insert into key_changes (api_key_id, changed_at)
    select api_key_id, $2
    from unnest($14::text[]) as api_key_id
  )
  update appender
  set last_position = $1`,
};
