/**
 * A whole batch in one statement: events, the numbers and moments they end at, and keys that changed. Answers with the numbers,
 * which may be higher where a late event came after its successors.
 */
export const appendEvents = {
  name: 'append-events',
  text: `
  with appended as (
    insert into events (
      position, appended_at, marketplace_id, occurred_at, event_id, event_type, aggregate_type, envelope
    )
    select position::bigint, $1, marketplace_id, occurred_at::timestamptz, event_id, event_type, aggregate_type, envelope
    from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
      as event (position, marketplace_id, occurred_at, event_id, event_type, aggregate_type, envelope)
  ),
  clocked as (
    insert into marketplace_clocks (marketplace_id, last_occurred_at)
    select marketplace_id, last_occurred_at::timestamptz
    from unnest($11::text[], $12::text[]) as clock (marketplace_id, last_occurred_at)
    on conflict (marketplace_id) do update
    set last_occurred_at = excluded.last_occurred_at
  ),
  changed as (
    insert into key_changes (api_key_id, changed_at)
    select api_key_id, $1
    from unnest($13::text[]) as api_key_id
  )
  insert into aggregate_heads (aggregate, version)
  select aggregate, version::bigint
  from unnest($9::text[], $10::text[]) as head (aggregate, version)
  on conflict (aggregate) do update
  set version = greatest(aggregate_heads.version, excluded.version)
  returning aggregate, version`,
};
