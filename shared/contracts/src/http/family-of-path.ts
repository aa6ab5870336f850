import { accountRoutes } from './accounts.js';
import { projectRoutes } from './projects.js';
import type { RouteFamily } from './route.js';

const firstSegmentOf = (path: string): string => /^\/([^/?]*)/.exec(path)?.[1] ?? '';

const accountSegments = new Set(Object.values({ ...accountRoutes, ...projectRoutes }).map(({ path }) => firstSegmentOf(path)));

/** The family whose envelope an error has if it occurs before the route is known, or if no route fits. */
export function familyOfPath(path: string): RouteFamily {
  return accountSegments.has(firstSegmentOf(path)) ? 'account' : 'plain';
}
