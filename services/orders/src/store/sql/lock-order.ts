import { disputeColumns, orderColumns } from './columns.js';

/**
 * The one lock of an order and of everything that hangs on it. The dispute is read by a statement of its own afterwards: a
 * join would show it as it was before a rival let go of the lock. The parties may be shown so: nobody locks a user.
 */
export const lockOrder = {
  name: 'lock-order',
  text: `
  select ${orderColumns},
    orders.xmin::text as "writtenBy",
    (select status from users where users.id = orders.buyer_id) as "buyerStatus",
    (select status from users where users.id = orders.seller_id) as "sellerStatus"
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

export const findByClientOrderRef = {
  name: 'find-by-client-order-ref',
  text: `
  select id
  from orders
  where marketplace_id = $1
    and client_order_ref = $2`,
};
