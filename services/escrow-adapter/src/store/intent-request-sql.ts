import type { EscrowId } from '@holdfast/kernel/ids';
import { columnsOf, selectList, unnestRows } from '@holdfast/postgres';
import { intentColumns, type IntentRow, type LeaseTerms } from '@holdfast/intents';
import { contractColumns, type ContractRow } from './schema.js';

/** An intent that a message requests, on the contract of an escrow or of an order. */
export type IntentRequestRow = Pick<
  IntentRow,
  | 'id'
  | 'kind'
  | 'priority'
  | 'marketplaceId'
  | 'correlationId'
  | 'saga'
  | 'sagaRunId'
  | 'afterEventId'
  | 'traceparent'
  | 'requestedAt'
  | 'payload'
> & { readonly escrowId: EscrowId | null; readonly orderId: string | null; readonly isLeased: boolean };

const { id, kind, priority, marketplaceId, correlationId, saga, sagaRunId, afterEventId, traceparent, requestedAt, payload } =
  intentColumns;
const requestColumns = columnsOf<IntentRequestRow>()({
  ...{ id, kind, priority, marketplaceId, correlationId, saga, sagaRunId, afterEventId, traceparent, requestedAt, payload },
  escrowId: { column: 'escrow_id', type: 'text' },
  orderId: { column: 'order_id', type: 'text' },
  isLeased: { column: 'is_leased', type: 'boolean' },
});

const requestProperties = [
  'id',
  'kind',
  'priority',
  'marketplaceId',
  'correlationId',
  'saga',
  'sagaRunId',
  'afterEventId',
  'traceparent',
  'requestedAt',
  'payload',
  'escrowId',
  'orderId',
  'isLeased',
] as const satisfies readonly (keyof IntentRequestRow)[];

const contractProperties = [
  'escrowId',
  'orderId',
  'marketplaceId',
  'contractType',
  'amountUnits',
  'currency',
  'buyerId',
  'sellerId',
  'title',
  'description',
  'platformFeeBasisPoints',
  'milestones',
  'status',
  'createdAt',
] as const satisfies readonly (keyof ContractRow)[];

const requestRows = unnestRows(requestColumns, requestProperties, { name: 'requests' });
const contractRows = unnestRows(contractColumns, contractProperties, {
  name: 'terms',
  parametersBefore: requestProperties.length,
});
const sagaRunParameter = requestProperties.indexOf('sagaRunId') + 1;
const leaseParameter = requestProperties.length + contractProperties.length + 1;

/**
 * Stores inbox rows, contracts and intents in one statement and returns the stored intents; messages that were handled before or
 * whose saga run was aborted are left out. The row lock on aborted runs keeps the order with a concurrent abort (`abortRun`). The
 * subject of an intent is a stored or just inserted contract; without one the statement violates its not-null
 * constraint.
 */
export const insertIntentRequests = {
  name: 'insert-intent-requests',
  text: `
  with aborted as (
    select saga_run_id
    from aborted_runs
    where saga_run_id = any($${sagaRunParameter}::text[])
    for key share
  ),
  requests as (
    select *
    from ${requestRows.from}
    where saga_run_id is null
      or saga_run_id not in (select saga_run_id from aborted)
  ),
  new_messages as (
    insert into inbox (consumer, message_id)
    select 'escrow-adapter', id
    from requests
    where not exists (select from intents where intents.id = requests.id) -- an intent outlives its pruned inbox row
    order by id
    on conflict do nothing
    returning message_id
  ),
  new_contracts as (
    insert into contracts (escrow_id, order_id, marketplace_id, contract_type, amount_units, currency, buyer_id, seller_id, title,
      description, platform_fee_basis_points, milestones, status, created_at)
    select escrow_id, terms.order_id, terms.marketplace_id, contract_type, amount_units, currency, buyer_id, seller_id, title,
      description, platform_fee_basis_points, milestones::jsonb, status, created_at
    from ${contractRows.from}
    join requests using (escrow_id)
    join new_messages on new_messages.message_id = requests.id
    returning escrow_id
  )
  insert into intents (id, kind, subject, priority, marketplace_id, correlation_id, saga, saga_run_id, after_event_id,
    traceparent, requested_at, payload, lease_owner, lease_token, lease_until)
  select requests.id, requests.kind, coalesce(new_contracts.escrow_id, known.escrow_id, latest.escrow_id), requests.priority,
    requests.marketplace_id, requests.correlation_id, requests.saga, requests.saga_run_id, requests.after_event_id,
    requests.traceparent, requests.requested_at, requests.payload::jsonb,
    case when requests.is_leased then $${leaseParameter} end,
    case when requests.is_leased then 1 else 0 end,
    case when requests.is_leased then now() + make_interval(secs => $${leaseParameter + 1}) end
  from requests
  join new_messages on new_messages.message_id = requests.id
  left join new_contracts on new_contracts.escrow_id = requests.escrow_id
  left join contracts as known on known.escrow_id = requests.escrow_id
  left join lateral (
    select contracts.escrow_id
    from contracts
    where contracts.order_id = requests.order_id
      and contracts.status <> 'FAILED'
    order by contracts.created_at desc
    limit 1
  ) as latest
    on true
  returning ${selectList(intentColumns, 'intents')}`,
};

export function insertIntentRequestsValues(
  requests: readonly IntentRequestRow[],
  contracts: readonly ContractRow[],
  lease: LeaseTerms,
): readonly unknown[] {
  return [...requestRows.valuesOf(requests), ...contractRows.valuesOf(contracts), lease.owner, lease.seconds];
}
