import type { Instant } from '@holdfast/kernel/context';
import type { MemoryTables, OutboxTables, RunTables, UserTables } from '@holdfast/testing/memory';
import { noDisputeRules } from '../domain/dispute.js';
import { realTime, type MarketplaceClock } from '../domain/marketplace-clock.js';
import type { Dispute, DisputeRules, Order } from '../domain/order.js';
import type { Project } from '../domain/project.js';
import type { TimerRow } from '../store/schema.js';
import type { Comment, Deps, LockedOrder, LockedProject } from '../use-cases/ports.js';

export type OrderTables = OutboxTables &
  RunTables &
  UserTables & {
    readonly orders: Map<string, Order>;
    readonly disputes: Map<string, Dispute & { readonly orderId: string }>;
    readonly comments: Map<string, Comment>;
    readonly projects: Map<string, Project>;
    /** Its only row exists while the platform is stopped. */
    readonly stop: Map<string, true>;
    readonly timers: Map<string, TimerRow>;
    /** Its only row is the platform's row. */
    readonly heartbeat: Map<string, { readonly beatAt: Instant; readonly graceUntil: Instant | null }>;
    readonly marketplaces: Map<string, MarketplaceRow>;
  };

type MarketplaceRow = DisputeRules & { readonly version: number; readonly clock: MarketplaceClock };

export const newMarketplace: MarketplaceRow = { ...noDisputeRules, version: 0, clock: realTime };

export function lockedOrder(tables: OrderTables, marketplaceId: string, orderId: string): LockedOrder | undefined {
  const order = tables.orders.get(orderId);
  if (order?.marketplaceId !== marketplaceId) return undefined;
  const parties = [order.buyerId, order.sellerId].map((id) => ({ id, isActive: tables.users.get(id)?.status === 'ACTIVE' }));
  const { responsePeriod, decisionPeriod, onNoResponse, clock } = tables.marketplaces.get(marketplaceId) ?? newMarketplace;
  const disputeRules = { responsePeriod, decisionPeriod, onNoResponse };
  return { order, parties, isStopped: isStopped(tables), disputeRules, clock };
}

export function lockedProject(tables: OrderTables, marketplaceId: string, projectId: string): LockedProject | undefined {
  const project = tables.projects.get(projectId);
  if (project?.marketplaceId !== marketplaceId) return undefined;
  return { project, order: tables.orders.get(project.orderId ?? ''), isStopped: isStopped(tables) };
}

function isStopped({ stop }: OrderTables): boolean {
  return stop.size > 0;
}

export function memoryMarketplaceHandler({ inTransaction }: MemoryTables<OrderTables>): Deps['handleMarketplaceChanged'] {
  return ({ id, aggregateVersion: version, payload }) =>
    inTransaction(({ tables: { inbox, marketplaces } }) => {
      if (inbox.has(id)) return;
      inbox.set(id, true);
      const { marketplaceId, disputeResponsePeriod, disputeDecisionPeriod, onNoResponse } = payload;
      const rules = { responsePeriod: disputeResponsePeriod, decisionPeriod: disputeDecisionPeriod, onNoResponse };
      const stored = marketplaces.get(marketplaceId) ?? newMarketplace;
      if (stored.version < version) marketplaces.set(marketplaceId, { ...stored, ...rules, version });
    });
}
