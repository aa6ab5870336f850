import type { Database } from '@holdfast/shared/postgres';
import type { Deps } from '../use-cases/ports.js';
import { pageOfRows, rowsOf } from './reading.js';
import { toJoinedOrder, type JoinedRow } from './rows.js';
import { orderColumnsWithDispute } from './sql/columns.js';
import { listStatement } from './sql/list.js';

const from = `orders
  left join disputes on disputes.id = orders.dispute_id`;

const findOrder = {
  name: 'find-order',
  text: `
  select ${orderColumnsWithDispute}
  from ${from}
  where orders.id = $2
    and orders.marketplace_id = $1`,
};

const findOrders = `
  select ${orderColumnsWithDispute}
  from ${from}
  where orders.id = any($1)`;

const listOrders = listStatement({
  columns: orderColumnsWithDispute,
  from,
  item: 'orders',
  filters: [
    'orders.marketplace_id = $1',
    '($2::text is null or orders.status = $2)',
    '($3::text is null or orders.buyer_id = $3)',
    '($4::text is null or orders.seller_id = $4)',
  ],
});

const findCursor = `
  select created_at
  from orders
  where marketplace_id = $1
    and id = $2`;

export function orderStore(database: Database): Deps['orders'] {
  return {
    find: async (marketplaceId, id) => {
      const [row] = await rowsOf<JoinedRow>(database, findOrder, [marketplaceId, id]);
      return row === undefined ? undefined : toJoinedOrder(row);
    },
    findMany: async (ids) => (await rowsOf<JoinedRow>(database, findOrders, [ids])).map(toJoinedOrder),
    list: async (marketplaceId, filter) => {
      const { status = null, buyerId = null, sellerId = null } = filter;
      const filters = [marketplaceId, status, buyerId, sellerId];
      const paging = { list: listOrders, filters, cursor: findCursor, owner: marketplaceId };
      return (await pageOfRows<JoinedRow>(database, paging, filter))?.map(toJoinedOrder);
    },
  };
}
