import { disputeColumns, orderColumns } from './columns.js';

/**
 * The one lock of an order and of everything that hangs on it. The dispute is read by a statement of its own afterwards: a
 * join would show it as it was before a rival let go of the lock.
 */
export const lockOrder = {
  name: 'lock-order',
  text: `
  select ${orderColumns}
  from orders
  where id = $2
    and marketplace_id = $1
  for update`,
};

export const findOrderIdOfDispute = {
  name: 'find-order-of-dispute',
  text: `
  select order_id as "orderId"
  from disputes
  where id = $2
    and marketplace_id = $1`,
};

export const readDispute = {
  name: 'read-dispute',
  text: `
  select ${disputeColumns}
  from disputes
  where id = $1`,
};
