/** Claims of requests that still run. Rows are locked in the order of `settle-keys`, so that the two never block each other. */
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
