import type { EscrowId } from '@holdfast/kernel/ids';
import { columnsOf, selectList, unnestRows } from '@holdfast/postgres';
import { intentColumns, type IntentRow } from '../intents/index.js';
import { contractColumns, type ContractRow } from './schema.js';

/** An intent that a message asks for, on the contract of an escrow or on that of an order. */
export type AskRow = Pick<
  IntentRow,
  'id' | 'kind' | 'priority' | 'marketplaceId' | 'correlationId' | 'saga' | 'sagaRunId' | 'afterEventId' | 'payload'
> & { readonly escrowId: EscrowId | null; readonly orderId: string | null; readonly isLeased: boolean };

const { id, kind, priority, marketplaceId, correlationId, saga, sagaRunId, afterEventId, payload } = intentColumns;
const askColumns = columnsOf<AskRow>()({
  ...{ id, kind, priority, marketplaceId, correlationId, saga, sagaRunId, afterEventId, payload },
  escrowId: { column: 'escrow_id', type: 'text' },
  orderId: { column: 'order_id', type: 'text' },
  isLeased: { column: 'is_leased', type: 'boolean' },
});

const askProperties = [
  'id',
  'kind',
  'priority',
  'marketplaceId',
  'correlationId',
  'saga',
  'sagaRunId',
  'afterEventId',
  'payload',
  'escrowId',
  'orderId',
  'isLeased',
] as const satisfies readonly (keyof AskRow)[];

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

const asked = unnestRows(askColumns, askProperties, { name: 'asked' });
const requested = unnestRows(contractColumns, contractProperties, {
  name: 'requested',
  parametersBefore: askProperties.length,
});
const leaseParameter = askProperties.length + contractProperties.length + 1;

/**
 * Stores inbox, contracts and intents in one statement; messages that were stored before are left out. Returns what was stored. The subject
 * of an intent is a contract that is there or was just inserted; where there is none, its column refuses the null.
 */
export const insertAsks = {
  name: 'insert-asks',
  text: `
  with asked as (
    select *
    from ${asked.from}
  ),
  heard as (
    insert into inbox (consumer, message_id)
    select 'escrow-adapter', id
    from asked
    order by id
    on conflict do nothing
    returning message_id
  ),
  new_contracts as (
    insert into contracts (escrow_id, order_id, marketplace_id, contract_type, amount_units, currency, buyer_id, seller_id, title,
      description, platform_fee_basis_points, milestones, status, created_at)
    select escrow_id, requested.order_id, requested.marketplace_id, contract_type, amount_units, currency, buyer_id, seller_id, title,
      description, platform_fee_basis_points, milestones::jsonb, status, created_at
    from ${requested.from}
    join asked using (escrow_id)
    join heard on heard.message_id = asked.id
    returning escrow_id
  )
  insert into intents (id, kind, subject, priority, marketplace_id, correlation_id, saga, saga_run_id, after_event_id, payload,
    lease_owner, lease_token, lease_until)
  select asked.id, asked.kind, coalesce(new_contracts.escrow_id, known.escrow_id, latest.escrow_id), asked.priority,
    asked.marketplace_id, asked.correlation_id, asked.saga, asked.saga_run_id, asked.after_event_id, asked.payload::jsonb,
    case when asked.is_leased then $${leaseParameter} end,
    case when asked.is_leased then 1 else 0 end,
    case when asked.is_leased then now() + make_interval(secs => $${leaseParameter + 1}) end
  from asked
  join heard on heard.message_id = asked.id
  left join new_contracts on new_contracts.escrow_id = asked.escrow_id
  left join contracts as known on known.escrow_id = asked.escrow_id
  left join lateral (
    select contracts.escrow_id
    from contracts
    where contracts.order_id = asked.order_id
      and contracts.status <> 'FAILED'
    order by contracts.created_at desc
    limit 1
  ) as latest
    on true
  returning ${selectList(intentColumns, 'intents')}`,
};

export function insertAsksValues(
  asks: readonly AskRow[],
  contracts: readonly ContractRow[],
  lease: { readonly owner: string; readonly seconds: number },
): readonly unknown[] {
  return [...asked.valuesOf(asks), ...requested.valuesOf(contracts), lease.owner, lease.seconds];
}
