import type { Database } from '@holdfast/shared/postgres';
import type { Comment, Deps } from '../use-cases/ports.js';
import { pageOfRows, rowsOf } from './reading.js';
import { toJoinedOrder, type JoinedRow } from './rows.js';
import { orderColumnsWithDispute } from './sql/columns.js';
import { equals } from './sql/list.js';

const from = `disputes
  join orders on orders.id = disputes.order_id`;

const findDispute = `
  select ${orderColumnsWithDispute}
  from ${from}
  where disputes.id = $2
    and disputes.marketplace_id = $1`;

const listed = { columns: orderColumnsWithDispute, from, item: 'disputes' };

const findCursor = `
  select created_at
  from disputes
  where marketplace_id = $1
    and id = $2`;

const listedComments = {
  columns: `id, dispute_id as "disputeId", text, author, created_at as "createdAt"`,
  from: 'dispute_comments',
  item: 'dispute_comments',
};

const findCommentCursor = `
  select created_at
  from dispute_comments
  where dispute_id = $1
    and id = $2`;

export function disputeStore(database: Database): Deps['disputes'] {
  return {
    find: async (marketplaceId, id) => {
      const [row] = await rowsOf<JoinedRow>(database, findDispute, [marketplaceId, id]);
      return row === undefined ? undefined : toJoinedOrder(row);
    },
    list: async (marketplaceId, filter) => {
      const conditions = [
        equals('disputes.marketplace_id', marketplaceId),
        equals('disputes.order_id', filter.orderId),
        equals('disputes.status', filter.status),
        equals('disputes.opened_by', filter.openedBy),
      ];
      const paging = { ...listed, conditions, cursor: findCursor, owner: marketplaceId };
      return (await pageOfRows<JoinedRow>(database, paging, filter))?.map(toJoinedOrder);
    },
    comments: (id, filter) => {
      const conditions = [equals('dispute_id', id)];
      return pageOfRows<Comment>(database, { ...listedComments, conditions, cursor: findCommentCursor, owner: id }, filter);
    },
  };
}
