import type { Database } from '@holdfast/shared/postgres';
import type { Deps } from '../use-cases/ports.js';
import { pageOfRows, rowsOf } from './reading.js';
import { toJoinedOrder, type JoinedRow } from './rows.js';
import { orderColumnsWithDispute } from './sql/columns.js';
import { equals } from './sql/list.js';

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

const listed = { columns: orderColumnsWithDispute, from, item: 'orders' };

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
      const conditions = [
        equals('orders.marketplace_id', marketplaceId),
        equals('orders.status', filter.status),
        equals('orders.buyer_id', filter.buyerId),
        equals('orders.seller_id', filter.sellerId),
      ];
      const paging = { ...listed, conditions, cursor: findCursor, owner: marketplaceId };
      return (await pageOfRows<JoinedRow>(database, paging, filter))?.map(toJoinedOrder);
    },
  };
}
