/** Renews the claims of running requests. One replica updates each row, and other statements lock a single one, so none deadlock. */
export const renewClaims = {
  name: 'renew-claims',
  text: `
  update idempotency_records
  set claimed_until = $2
  where claim_id = any($1)`,
};
