/** Keeps replies, or frees keys that have none. Claims that were taken over meanwhile are left alone. */
export const settleKeys = {
  name: 'settle-keys',
  text: `
  with settled as (
    select records.owner, records.key, asked.reply
    from unnest($1::text[], $2::uuid[], $3::uuid[], $4::bytea[]) as asked (owner, key, claim_id, reply)
    join idempotency_records as records on records.owner = asked.owner
      and records.key = asked.key
      and records.claim_id = asked.claim_id
    order by records.owner, records.key
    for update of records
  )
  update idempotency_records as records
  set reply = settled.reply,
    claim_id = null,
    claimed_until = null
  from settled
  where records.owner = settled.owner
    and records.key = settled.key`,
};
