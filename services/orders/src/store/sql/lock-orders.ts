import { selectList } from '@holdfast/shared/postgres';
import { disputeColumns, orderColumns } from '../schema.js';

/**
 * The one lock of an order and of everything that belongs to it; everybody locks in the order of the ids. Disputes are read by a
 * statement of their own afterwards: a join would show them as they were before a rival released the lock.
 */
export const lockOrders = {
  name: 'lock-orders',
  text: `
  select ${selectList(orderColumns, 'orders')},
    buyers.status as "buyerStatus",
    sellers.status as "sellerStatus"
  from orders
  left join users as buyers on buyers.id = orders.buyer_id
  left join users as sellers on sellers.id = orders.seller_id
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
