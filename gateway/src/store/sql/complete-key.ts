/** Stores the response, or frees the key without one. A record whose claim another request has taken over does not match. */
export const completeKey = {
  name: 'complete-key',
  text: `
  update idempotency_records
  set response = $4,
    claim_id = null,
    claimed_until = null
  where owner = $1
    and key = $2
    and claim_id = $3`,
};
