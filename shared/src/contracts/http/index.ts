import { balanceRoutes } from './balances.js';
import type { RouteDeclaration } from './route.js';

export * from './balances.js';
export * from './route.js';

/** Every route of the platform. What is not in this list cannot be reached. */
export const allRoutes: readonly RouteDeclaration[] = [...balanceRoutes];
