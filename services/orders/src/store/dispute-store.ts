import type { Database } from '@holdfast/shared/postgres';
import type { Comment, Deps } from '../use-cases/ports.js';
import { pageOfRows, rowsOf } from './reading.js';
import { toJoinedOrder, type JoinedRow } from './rows.js';
import { orderColumnsWithDispute } from './sql/columns.js';
import { listStatement } from './sql/list.js';

const from = `disputes
  join orders on orders.id = disputes.order_id`;

const findDispute = `
  select ${orderColumnsWithDispute}
  from ${from}
  where disputes.id = $2
    and disputes.marketplace_id = $1`;

const listDisputes = listStatement({
  columns: orderColumnsWithDispute,
  from,
  item: 'disputes',
  filters: [
    'disputes.marketplace_id = $1',
    '($2::text is null or disputes.order_id = $2)',
    '($3::text is null or disputes.status = $3)',
    '($4::text is null or disputes.opened_by = $4)',
  ],
});

const findCursor = `
  select created_at
  from disputes
  where marketplace_id = $1
    and id = $2`;

const listComments = listStatement({
  columns: `id, dispute_id as "disputeId", text, author, created_at as "createdAt"`,
  from: 'dispute_comments',
  item: 'dispute_comments',
  filters: ['dispute_id = $1'],
});

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
      const { orderId = null, status = null, openedBy = null } = filter;
      const filters = [marketplaceId, orderId, status, openedBy];
      const paging = { list: listDisputes, filters, cursor: findCursor, owner: marketplaceId };
      return (await pageOfRows<JoinedRow>(database, paging, filter))?.map(toJoinedOrder);
    },
    comments: (id, filter) =>
      pageOfRows<Comment>(database, { list: listComments, filters: [id], cursor: findCommentCursor, owner: id }, filter),
  };
}
