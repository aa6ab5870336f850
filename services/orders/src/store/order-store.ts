import { createdWithin, equals, queryPage, type Database } from '@holdfast/postgres';
import type { Deps } from '../use-cases/ports.js';
import { toJoinedOrder, type JoinedRow } from './rows.js';
import { joinedColumns, ordersWithDispute } from './sql/joined-orders.js';

function findOrdersWhere(name: string, condition: string) {
  const text = `
  select ${joinedColumns}
  from ${ordersWithDispute}
  where ${condition}`;
  return { name, text };
}

const findOrder = findOrdersWhere('find-order', 'orders.id = $1 and orders.marketplace_id = $2');

const findOrderByEscrow = findOrdersWhere('find-order-by-escrow', 'orders.escrow_id = $1 and orders.marketplace_id = $2');

/** Orders of any marketplace. */
export const findOrders = findOrdersWhere('find-orders', 'orders.id = any($1)');

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
        equals('orders.client_order_ref', filter.clientOrderRef),
        ...createdWithin('orders.created_at', filter),
      ];
      const list = { ...listed, scope: [equals('orders.marketplace_id', marketplaceId)], filters };
      return (await queryPage<JoinedRow>(database.lists, list, filter))?.map(toJoinedOrder);
    },
  };
}
