import type { OutboxTables, RunTables, UserTables } from '@holdfast/testing/memory';
import type { Dispute, Order } from '../domain/order.js';
import type { Project } from '../domain/project.js';
import type { Comment, LockedOrder, LockedProject } from '../use-cases/ports.js';

export type OrderTables = OutboxTables &
  RunTables &
  UserTables & {
    readonly orders: Map<string, Order>;
    readonly disputes: Map<string, Dispute & { readonly orderId: string }>;
    readonly comments: Map<string, Comment>;
    readonly projects: Map<string, Project>;
    /** Its only row exists while the platform is stopped. */
    readonly stop: Map<string, true>;
  };

export function lockedOrder(tables: OrderTables, marketplaceId: string, orderId: string): LockedOrder | undefined {
  const order = tables.orders.get(orderId);
  if (order?.marketplaceId !== marketplaceId) return undefined;
  const parties = [order.buyerId, order.sellerId].map((id) => ({ id, isActive: tables.users.get(id)?.status === 'ACTIVE' }));
  return { order, parties, isStopped: isStopped(tables), disputeRules: noDisputeRules };
}

const noDisputeRules = { responsePeriod: null, decisionPeriod: null, onNoResponse: 'none' } as const;

export function lockedProject(tables: OrderTables, marketplaceId: string, projectId: string): LockedProject | undefined {
  const project = tables.projects.get(projectId);
  if (project?.marketplaceId !== marketplaceId) return undefined;
  return { project, order: tables.orders.get(project.orderId ?? ''), isStopped: isStopped(tables) };
}

function isStopped({ stop }: OrderTables): boolean {
  return stop.size > 0;
}
