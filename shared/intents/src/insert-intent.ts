import { selectList, unnestRows } from '@holdfast/postgres';
import { intentColumns, type IntentRow } from './intent-columns.js';
import type { NewIntent } from './intent.js';

/** The owner and duration of a worker's leases. */
export type LeaseTerms = { readonly owner: string; readonly seconds: number };

const properties = [
  'id',
  'kind',
  'subject',
  'priority',
  'marketplaceId',
  'correlationId',
  'saga',
  'sagaRunId',
  'afterEventId',
  'requestedAt',
  'payload',
] as const satisfies readonly (keyof IntentRow)[];

const rows = unnestRows(intentColumns, properties);
const sagaRunParameter = properties.indexOf('sagaRunId') + 1;
const leasedParameter = rows.lastParameter + 1;

/**
 * Returns nothing where the intent was stored before, or where its saga run was aborted. The row lock on the aborted run keeps the
 * order with a concurrent abort (`abortRun`).
 */
export const insertIntent = {
  name: 'insert-intent',
  text: `
  with aborted as (
    select saga_run_id
    from aborted_runs
    where saga_run_id = any($${sagaRunParameter}::text[])
    for key share
  )
  insert into intents (${rows.columns}, lease_owner, lease_token, lease_until)
  select ${rows.values},
    case when $${leasedParameter} then $${leasedParameter + 1} end,
    case when $${leasedParameter} then 1 else 0 end,
    case when $${leasedParameter} then now() + make_interval(secs => $${leasedParameter + 2}) end
  from ${rows.from}
  where given.saga_run_id is null
    or given.saga_run_id not in (select saga_run_id from aborted)
  on conflict (id) do nothing
  returning ${selectList(intentColumns, 'intents')}`,
};

export function insertIntentValues(intent: NewIntent, isLeased: boolean, { owner, seconds }: LeaseTerms): readonly unknown[] {
  const { saga, sagaRunId, afterEventId } = intent;
  const row = { ...intent, saga: saga ?? null, sagaRunId: sagaRunId ?? null, afterEventId: afterEventId ?? null };
  return [...rows.valuesOf([row]), isLeased, owner, seconds];
}
