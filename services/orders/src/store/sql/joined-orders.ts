import { selectList } from '@holdfast/postgres';
import { disputePrefix } from '../rows.js';
import { disputeColumns, orderColumns } from '../schema.js';

/** The columns of an order and of its dispute; see `JoinedRow`. */
export const joinedColumns = `
    ${selectList(orderColumns, 'orders')},
    ${selectList(disputeColumns, 'disputes', disputePrefix)}`;

export const ordersWithDispute = `orders
  left join disputes on disputes.id = orders.dispute_id`;

export const disputesWithOrder = `disputes
  join orders on orders.id = disputes.order_id`;
