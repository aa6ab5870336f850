import { accountRoutes } from './accounts.js';
import { auditRoutes } from './audit.js';
import { authRoutes } from './auth.js';
import { balanceRoutes } from './balances.js';
import { disputeRoutes } from './disputes.js';
import { eventRoutes } from './events.js';
import { internalRoutes } from './internal.js';
import { marketplaceRoutes } from './marketplaces.js';
import { milestoneRoutes } from './milestones.js';
import { orderTransferRoutes } from './order-transfers.js';
import { operationRoutes } from './operations.js';
import { orderRoutes } from './orders.js';
import { paymentAccountRoutes } from './payment-accounts.js';
import { platformRoutes } from './platform.js';
import { projectRoutes } from './projects.js';
import { reconciliationRoutes } from './reconciliation.js';
import { resolutionRoutes } from './resolution.js';
import type { RouteDeclaration, RouteOwner } from './route.js';
import { statementRoutes } from './statements.js';
import { summaryRoutes } from './summary.js';
import { timelineRoutes } from './timeline.js';
import { sandboxRoutes } from './sandbox.js';
import { testClockRoutes } from './test-clock.js';
import { topupRoutes } from './topups.js';
import { userRoutes } from './users.js';
import { walletRoutes } from './wallets.js';
import { webhookDeliveryRoutes } from './webhook-deliveries.js';
import { webhookEndpointRoutes } from './webhook-endpoints.js';
import { webhookRoutes } from './webhooks.js';
import { withdrawalRoutes } from './withdrawals.js';

export * from './account-shapes.js';
export * from './accounts.js';
export * from './audit.js';
export * from './auth.js';
export * from './auth-shapes.js';
export * from './balance-shapes.js';
export * from './balances.js';
export * from './browser-response.js';
export * from './custody.js';
export * from './disputes.js';
export * from './emergency-stop.js';
export * from './events.js';
export { familyOfPath } from './family-of-path.js';
export * from './internal.js';
export * from './marketplaces.js';
export * from './milestones.js';
export { feeBasisPointsOf } from './order-rules.js';
export * from './operations.js';
export * from './operations-shapes.js';
export * from './operator-reads.js';
export * from './order-shapes.js';
export * from './order-transfers.js';
export * from './orders.js';
export * from './parked-messages.js';
export * from './payment-accounts.js';
export * from './payment-shapes.js';
export * from './platform.js';
export * from './projects.js';
export * from './readiness.js';
export * from './reconciliation.js';
export * from './resolution.js';
export * from './route.js';
export * from './route-errors.js';
export * from './payment-saga-runs.js';
export * from './run-states.js';
export * from './saga-runs.js';
export * from './statement-shapes.js';
export * from './statements.js';
export * from './summary.js';
export * from './timeline.js';
export * from './timeline-shapes.js';
export * from './sandbox.js';
export * from './test-clock.js';
export * from './topups.js';
export * from './treasury.js';
export * from './users.js';
export * from './wallets.js';
export * from './webhook-deliveries.js';
export * from './webhook-endpoints.js';
export * from './webhooks.js';
export * from './withdrawal-body.js';
export * from './withdrawals.js';

const publicRoutes = {
  ...platformRoutes,
  ...marketplaceRoutes,
  ...testClockRoutes,
  ...authRoutes,
  ...userRoutes,
  ...paymentAccountRoutes,
  ...balanceRoutes,
  ...statementRoutes,
  ...walletRoutes,
  ...orderRoutes,
  ...milestoneRoutes,
  ...orderTransferRoutes,
  ...timelineRoutes,
  ...resolutionRoutes,
  ...disputeRoutes,
  ...topupRoutes,
  ...withdrawalRoutes,
  ...reconciliationRoutes,
  ...eventRoutes,
  ...webhookEndpointRoutes,
  ...webhookDeliveryRoutes,
  ...auditRoutes,
  ...summaryRoutes,
  ...webhookRoutes,
  ...accountRoutes,
  ...projectRoutes,
  ...operationRoutes,
  ...sandboxRoutes,
};

/** All public routes. The gateway routes only these. */
export const allRoutes: readonly RouteDeclaration[] = Object.values(publicRoutes);

const declaredRoutes = { ...publicRoutes, ...internalRoutes };
type DeclaredRoutes = typeof declaredRoutes;

/** The routes that a service is declared to serve, internal ones included, by the names of their declarations. */
export type RoutesOwnedBy<Owner extends RouteOwner> = {
  readonly [Name in keyof DeclaredRoutes as DeclaredRoutes[Name]['service'] extends Owner ? Name : never]: DeclaredRoutes[Name];
};

export function routesOwnedBy<Owner extends RouteOwner>(owner: Owner): RoutesOwnedBy<Owner>;
export function routesOwnedBy(owner: RouteOwner): Readonly<Record<string, RouteDeclaration>> {
  return Object.fromEntries(Object.entries<RouteDeclaration>(declaredRoutes).filter(([, { service }]) => service === owner));
}
