import { forRows } from '@holdfast/shared/postgres';

/** How a parameter of each column of a new order is read. */
const beginning = {
  id: 'text',
  marketplace_id: 'text',
  client_order_ref: 'text',
  buyer_id: 'text',
  seller_id: 'text',
  amount_units: 'bigint',
  currency: 'text',
  status: 'text',
  title: 'text',
  description: 'text',
  metadata: 'json',
  fee_basis_points: 'integer',
  milestones: 'json',
  version: 'integer',
  last_event_id: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const;

/** A rival with the same client reference waits here until this transaction has ended, and fails if it has committed. */
export const insertNew = forRows((rows, count) => ({
  name: `insert-orders-${count}`,
  text: `
  insert into orders (${Object.keys(beginning).join(', ')})
  values ${rows(Object.values(beginning))}
  returning xmin::text as "writtenBy"`,
}));

/** How a parameter of each column of an order that changes is read. */
const changing = {
  status: 'text',
  close_reason: 'text',
  escrow_id: 'text',
  escrow_status: 'text',
  contract_type: 'text',
  provider_contract_id: 'text',
  funded_at: 'timestamptz',
  released_at: 'timestamptz',
  refunded_at: 'timestamptz',
  escrow_version: 'integer',
  dispute_id: 'text',
  booked: 'json',
  operation: 'json',
  version: 'integer',
  last_event_id: 'text',
  updated_at: 'timestamptz',
} as const;

const columns = Object.keys(changing);
const given = ['text', 'xid', ...Object.values(changing)];

/** Not one of those with which a transaction is repeated as it is: its decision has to be made anew. */
export const orderChangedCode = 'HF002';

/**
 * Fails unless each of them is still as the transaction had left it on which its change was decided: the row carries the number of
 * the transaction that wrote it, and is locked while it is looked at. The checks of the table are prepared once for all of
 * them, which costs more than anything else here.
 */
export const updateOrders = forRows((rows, count) => ({
  name: `update-orders-${count}`,
  text: `
  with written as (
    update orders
    set ${columns.map((column) => `${column} = given.${column}`).join(',\n      ')}
    from (values ${rows(given)}) as given (id, written_by, ${columns.join(', ')})
    where orders.id = given.id
      and orders.xmin = given.written_by
    returning orders.xmin
  )
  select min(xmin::text) as "writtenBy", demand(count(*) = ${count}, '${orderChangedCode}', 'an order was changed meanwhile')
  from written`,
}));

export const updateMilestones = `
  update orders
  set milestones = $2
  where id = $1`;

export const insertDispute = `
  insert into disputes (
    id, marketplace_id, order_id, opened_by, reason, evidence, status, version, created_at
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

export const updateDispute = `
  update disputes
  set status = $2,
    assigned_to = $3,
    resolution_decision = $4,
    decision_note = $5,
    release_units = $6,
    refund_units = $7,
    resolved_by = $8,
    version = $9,
    resolved_at = $10
  where id = $1`;

export const insertComment = `
  insert into dispute_comments (id, dispute_id, text, author, created_at)
  values ($1, $2, $3, $4, $5)`;
