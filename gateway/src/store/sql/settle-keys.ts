import { unnestRows } from '@holdfast/shared/postgres';
import { idempotencyColumns } from '../schema.js';

export const settledRows = unnestRows(idempotencyColumns, ['owner', 'key', 'claimId', 'reply']);

/** Keeps replies, or frees keys that have none. Claims that were taken over meanwhile are left alone. */
export const settleKeys = {
  name: 'settle-keys',
  text: `
  with settled as (
    select given.owner, given.key, given.reply
    from ${settledRows.from}
    join idempotency_records as records on records.owner = given.owner
      and records.key = given.key
      and records.claim_id = given.claim_id
    order by given.owner, given.key
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
