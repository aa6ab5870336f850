import { balanceRoutes } from './balances.js';
import type { RouteDeclaration } from './route.js';

export * from './balance-shapes.js';
export * from './balances.js';
export * from './route.js';
export * from './route-errors.js';

/** Every route of the platform. What is not in this list cannot be reached. */
export const allRoutes: readonly RouteDeclaration[] = [...balanceRoutes];
