import { insertNew, listNewest, type MemoryTables } from '@holdfast/testing/memory';
import type { Dispute, Order } from '../domain/order.js';
import type { Project, ProjectStatus } from '../domain/project.js';
import type { Deps } from '../use-cases/ports.js';
import { lockedProject, type OrderTables } from './memory-rows.js';

type Tables = MemoryTables<OrderTables>;

export function memoryOrderReads({ committed }: Tables): Deps['orders'] {
  const allOf = (marketplaceId: string): readonly Order[] =>
    [...committed().orders.values()].filter((order) => order.marketplaceId === marketplaceId);
  return {
    find: async (marketplaceId, id) => allOf(marketplaceId).find((order) => order.id === id),
    findByEscrow: async (marketplaceId, escrowId) => allOf(marketplaceId).find(({ escrow }) => escrow?.id === escrowId),
    findMany: async (ids) => [...committed().orders.values()].filter(({ id }) => ids.includes(id)),
    list: async (marketplaceId, filter) => {
      const { status, buyerId, sellerId, clientOrderRef } = filter;
      const matches = (order: Order): boolean =>
        isSame(order.status, status) &&
        isSame(order.buyerId, buyerId) &&
        isSame(order.sellerId, sellerId) &&
        isSame(order.clientOrderRef, clientOrderRef);
      return listNewest({ rows: allOf(marketplaceId), matches, keyOf: (order) => order }, filter);
    },
  };
}

type DisputedOrder = Order & { readonly dispute: Dispute };

export function memoryDisputes({ committed }: Tables): Deps['disputes'] {
  const allOf = (marketplaceId: string): readonly DisputedOrder[] =>
    [...committed().disputes.values()].flatMap(({ orderId, ...dispute }) => {
      const order = committed().orders.get(orderId);
      return order?.marketplaceId === marketplaceId ? [{ ...order, dispute }] : [];
    });
  return {
    find: async (marketplaceId, id) => allOf(marketplaceId).find(({ dispute }) => dispute.id === id),
    list: async (marketplaceId, filter) => {
      const { orderId, status, openedBy, overdue } = filter;
      const isOverdue = (dispute: Dispute): boolean => dispute.overdueAt !== null && dispute.status !== 'RESOLVED';
      const matches = ({ id, dispute }: DisputedOrder): boolean =>
        isSame(id, orderId) &&
        isSame(dispute.status, status) &&
        isSame(dispute.openedBy, openedBy) &&
        (overdue === undefined || isOverdue(dispute) === overdue);
      return listNewest({ rows: allOf(marketplaceId), matches, keyOf: ({ dispute }) => dispute }, filter);
    },
    comments: async (id, filter) => {
      const rows = [...committed().comments.values()].filter(({ disputeId }) => disputeId === id);
      return listNewest({ rows, matches: () => true, keyOf: (comment) => comment }, filter);
    },
  };
}

function isSame(value: string | null, wanted: string | undefined): boolean {
  return wanted === undefined || value === wanted;
}

export function memoryProjects({ committed, inTransaction }: Tables): Deps['projects'] {
  return {
    insert: (project) => inTransaction(({ tables }) => insertNew(tables.projects, project.id, project)),
    list: async ({ marketplaceId, ownerId }, { page, limit, status }) => {
      const all = [...committed().projects.values()]
        .filter((project) => project.marketplaceId === marketplaceId && project.ownerId === ownerId)
        .map((project) => ({ ...project, status: statusOf(project, committed().orders.get(project.orderId ?? '')) }))
        .filter((project) => isSame(project.status, status));
      const filter = { limit: all.length };
      const newestFirst = listNewest({ rows: all, matches: () => true, keyOf: (project) => project }, filter) ?? [];
      return { items: newestFirst.slice((page - 1) * limit, page * limit), total: all.length };
    },
    cancel: ({ marketplaceId, id }, cancel) =>
      inTransaction(({ tables }) => {
        const canceled = cancel(lockedProject(tables, marketplaceId, id));
        tables.projects.set(canceled.id, canceled);
        return canceled;
      }),
  };
}

const inProgress: ReadonlySet<string> = new Set([
  'IN_PROGRESS',
  'RELEASE_REQUESTED',
  'RELEASED',
  'REFUND_REQUESTED',
  'REFUNDED',
  'DISPUTED',
]);

/** Like the view project_states. */
function statusOf({ canceledAt }: Project, order: Order | undefined): ProjectStatus {
  if (canceledAt !== null) return 'canceled';
  if (order?.closeReason === 'RELEASED' || order?.closeReason === 'SPLIT') return 'completed';
  return order !== undefined && inProgress.has(order.status) ? 'in_progress' : 'open';
}
