/** A batch of entries with its seal. */
export const appendAudit = {
  name: 'append-audit',
  text: `
  with recorded as (
    insert into audit_entries (
      position, id, marketplace_id, occurred_at, action, resource_type, resource_id, actor_type, actor_id, result, reason,
      before, after, request_id, hash
    )
    select position::bigint, id, marketplace_id, occurred_at::timestamptz, action, resource_type, resource_id, actor_type, actor_id,
      result, reason, before::json, after::json, request_id, hash
    from unnest(
      $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
      $11::text[], $12::text[], $13::text[], $14::text[], $15::text[]
    ) as entry (
      position, id, marketplace_id, occurred_at, action, resource_type, resource_id, actor_type, actor_id, result, reason,
      before, after, request_id, hash
    )
  )
  insert into audit_seals (batch, first_position, last_position, last_hash, sealed_at, seal)
  values ($16, $17, $18, $19, $20, $21)`,
};
