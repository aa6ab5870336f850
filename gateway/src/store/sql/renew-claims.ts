/** Renews the claims of running requests. Locks rows in the same order as `complete-keys`, so that the two cannot deadlock. */
export const renewClaims = {
  name: 'renew-claims',
  text: `
  with renewed as (
    select owner, key
    from idempotency_records
    where claim_id = any($1)
    order by owner, key
    for update
  )
  update idempotency_records as records
  set claimed_until = $2
  from renewed
  where records.owner = renewed.owner
    and records.key = renewed.key`,
};
