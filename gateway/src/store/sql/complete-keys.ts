import { unnestRows } from '@holdfast/postgres';
import { idempotencyRecords } from '../schema.js';

export const completedRows = unnestRows(idempotencyRecords.columns, ['owner', 'key', 'claimId', 'response']);

/** Stores responses, or frees keys without one. Rows whose claim another request has taken over do not match. */
export const completeKeys = {
  name: 'complete-keys',
  text: `
  with completed as (
    select given.owner, given.key, given.response
    from ${completedRows.from}
    join idempotency_records as records on records.owner = given.owner
      and records.key = given.key
      and records.claim_id = given.claim_id
    order by given.owner, given.key
    for update of records
  )
  update idempotency_records as records
  set response = completed.response,
    claim_id = null,
    claimed_until = null
  from completed
  where records.owner = completed.owner
    and records.key = completed.key`,
};
