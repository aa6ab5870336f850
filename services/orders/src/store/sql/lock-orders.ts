import { selectList } from '@holdfast/postgres';
import { disputeColumns, orderColumns } from '../schema.js';

/**
 * The one lock of an order and of everything that belongs to it; everybody locks in the order of the ids. Disputes are read by a
 * statement of their own afterwards: a join would show them as they were before a rival released the lock. The users are read by
 * subqueries: Postgres plans this statement anew for each list of ids, and joins would double the time that takes.
 */
export const lockOrders = {
  name: 'lock-orders',
  text: `
  select ${selectList(orderColumns, 'orders')},
    (select users.status from users where users.id = orders.buyer_id) as "buyerStatus",
    (select users.status from users where users.id = orders.seller_id) as "sellerStatus"
  from orders
  where orders.id = any($1)
  order by orders.id
  for update of orders`,
};

export const readDisputes = {
  name: 'read-disputes',
  text: `
  select ${selectList(disputeColumns, 'disputes')}
  from disputes
  where id = any($1)`,
};
