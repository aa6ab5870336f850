import { authRoutes } from './auth.js';
import { balanceRoutes } from './balances.js';
import { marketplaceRoutes } from './marketplaces.js';
import { platformRoutes } from './platform.js';
import type { RouteDeclaration } from './route.js';
import { userRoutes } from './users.js';

export * from './auth.js';
export * from './auth-shapes.js';
export * from './balance-shapes.js';
export * from './balances.js';
export * from './internal.js';
export * from './marketplaces.js';
export * from './platform.js';
export * from './route.js';
export * from './route-errors.js';
export * from './users.js';

/** Every route of the platform for those outside of it. What is not in this list cannot be reached. */
export const allRoutes: readonly RouteDeclaration[] = [
  ...platformRoutes,
  ...marketplaceRoutes,
  ...authRoutes,
  ...userRoutes,
  ...balanceRoutes,
];
