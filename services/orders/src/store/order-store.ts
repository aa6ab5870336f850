import { createdWithin, equals, queryLists, queryPage, type Database } from '@holdfast/postgres';
import type { Deps } from '../use-cases/ports.js';
import { toJoinedOrder, type JoinedRow } from './rows.js';
import { joinedColumns, ordersWithDispute } from './sql/joined-orders.js';

const findOrder = {
  name: 'find-order',
  text: `
  select ${joinedColumns}
  from ${ordersWithDispute}
  where orders.id = $1
    and orders.marketplace_id = $2`,
};

const findOrderByEscrow = {
  name: 'find-order-by-escrow',
  text: `
  select ${joinedColumns}
  from ${ordersWithDispute}
  where orders.escrow_id = $1
    and orders.marketplace_id = $2`,
};

/** Orders of any marketplace. */
export const findOrders = {
  name: 'find-orders',
  text: `
  select ${joinedColumns}
  from ${ordersWithDispute}
  where orders.id = any($1)`,
};

const listed = {
  columns: joinedColumns,
  from: ordersWithDispute,
  keyset: ['orders.created_at', 'orders.id'],
  idColumn: 'orders.id',
} as const;

export function orderStore(database: Database): Deps['orders'] {
  return {
    find: async (marketplaceId, id) => {
      const { rows } = await database.pool.query<JoinedRow>(findOrder, [id, marketplaceId]);
      return rows.map(toJoinedOrder)[0];
    },
    findByEscrow: async (marketplaceId, escrowId) => {
      const { rows } = await database.pool.query<JoinedRow>(findOrderByEscrow, [escrowId, marketplaceId]);
      return rows.map(toJoinedOrder)[0];
    },
    findMany: async (ids) => {
      const { rows } = await database.lists.query<JoinedRow>(findOrders, [ids]);
      return rows.map(toJoinedOrder);
    },
    list: async (marketplaceId, filter) => {
      const filters = [
        equals('orders.status', filter.status),
        equals('orders.buyer_id', filter.buyerId),
        equals('orders.seller_id', filter.sellerId),
        ...createdWithin('orders.created_at', filter),
      ];
      const list = { ...listed, scope: [equals('orders.marketplace_id', marketplaceId)], filters };
      return (await queryPage<JoinedRow>(queryLists(database.lists), list, filter))?.map(toJoinedOrder);
    },
  };
}
