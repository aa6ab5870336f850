import { createdWithin, equals, newestOf, queryPage, type Condition, type Database } from '@holdfast/postgres';
import type { Comment, Deps } from '../use-cases/ports.js';
import { toDispute, toJoinedOrder, toOrder, type JoinedRow } from './rows.js';
import { comments, disputes, orders } from './schema.js';
import { disputesWithOrder, joinedColumns } from './sql/joined-orders.js';

const listed = {
  columns: joinedColumns,
  from: disputesWithOrder,
  keyset: ['disputes.created_at', 'disputes.id'],
  idColumn: 'disputes.id',
} as const;

export function disputeStore(database: Database): Deps['disputes'] {
  const { manager } = database.pool;
  return {
    find: async (marketplaceId, id) => {
      const dispute = await manager.findOneBy(disputes.entity, { id, marketplaceId });
      const order = dispute === null ? null : await manager.findOneBy(orders.entity, { id: dispute.orderId });
      return dispute === null || order === null ? undefined : toOrder(order, toDispute(dispute, order.currency));
    },
    list: async (marketplaceId, filter) => {
      const filters = [
        equals('disputes.order_id', filter.orderId),
        equals('disputes.status', filter.status),
        equals('disputes.opened_by', filter.openedBy),
        ...overdueConditions(filter.overdue),
        ...createdWithin('disputes.created_at', filter),
      ];
      const list = { ...listed, scope: [equals('disputes.marketplace_id', marketplaceId)], filters };
      return (await queryPage<JoinedRow>(database.lists, list, filter))?.map(toJoinedOrder);
    },
    comments: (id, filter) => {
      const list = { ...newestOf(comments), scope: [equals('dispute_id', id)], filters: createdWithin('created_at', filter) };
      return queryPage<Comment>(database.lists, list, filter);
    },
  };
}

/** The two conditions of `true` repeat the conditions of the index of overdue disputes. */
function overdueConditions(overdue: boolean | undefined): readonly Condition[] {
  if (overdue === undefined) return [];
  if (!overdue) return [equals("(disputes.overdue_at is null or disputes.status = 'RESOLVED')", true)];
  return [
    { column: 'disputes.overdue_at', operator: '>', value: '-infinity' },
    { column: 'disputes.status', operator: '<>', value: 'RESOLVED' },
  ];
}
