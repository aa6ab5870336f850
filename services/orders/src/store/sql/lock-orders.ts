import { disputes, orders } from '../schema.js';
import { isStopped } from './is-stopped.js';

/**
 * Locks orders in the order of their ids. The lock also guards the disputes of the order. Disputes are read by a second
 * statement, because a join would return them as they were before the lock was granted. The users are read by subqueries, because
 * Postgres plans this statement for each list of ids, and joins would double the planning time.
 */
export const lockOrders = {
  name: 'lock-orders',
  text: `
  select ${orders.selected},
    (select users.status from users where users.id = orders.buyer_id) as "buyerStatus",
    (select users.status from users where users.id = orders.seller_id) as "sellerStatus",
    ${isStopped} as "isStopped"
  from orders
  where orders.id = any($1)
  order by orders.id
  for update of orders`,
};

export const readDisputes = {
  name: 'read-disputes',
  text: `
  select ${disputes.selected}
  from disputes
  where id = any($1)`,
};
