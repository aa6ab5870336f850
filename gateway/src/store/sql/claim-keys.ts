/** Takes the keys that nobody has used yet. In one order, so that two batches never wait for each other. */
export const claimKeys = {
  name: 'claim-keys',
  text: `
  insert into idempotency_records (owner, key, fingerprint, claim_id, claimed_until, created_at)
  select owner, key, fingerprint, claim_id, claimed_until, created_at
  from unnest($1::text[], $2::uuid[], $3::text[], $4::uuid[], $5::timestamptz[], $6::timestamptz[])
    as claims (owner, key, fingerprint, claim_id, claimed_until, created_at)
  order by owner, key
  on conflict do nothing
  returning claim_id`,
};
