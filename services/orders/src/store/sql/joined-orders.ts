import { selectList } from '@holdfast/postgres';
import { disputePrefix } from '../rows.js';
import { disputes, orders } from '../schema.js';

/** The columns of an order and of its dispute; see `JoinedRow`. */
export const joinedColumns = `
    ${orders.selected},
    ${selectList(disputes.columns, disputes.table, disputePrefix)}`;

export const ordersWithDispute = `orders
  left join disputes on disputes.id = orders.dispute_id`;

export const disputesWithOrder = `disputes
  join orders on orders.id = disputes.order_id`;
