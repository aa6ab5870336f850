import { z } from 'zod';
import { route, type RouteDeclaration } from '@holdfast/contracts/http';

export const openPath = '/open';
export const keyedPath = '/keyed';

/** The same request to the same service: a public route, and one that requires the write scope. */
export const benchRoutes: readonly RouteDeclaration[] = [
  routeOf({ name: 'benchOpen', path: openPath, auth: 'public' }),
  routeOf({ name: 'benchKeyed', path: keyedPath, auth: 'write' }),
];

function routeOf(own: Pick<RouteDeclaration, 'name' | 'path' | 'auth'>): RouteDeclaration {
  return route({
    ...own,
    method: 'post',
    service: 'ledger-balance',
    summary: 'Forwarded',
    idempotent: true,
    family: 'plain',
    params: z.strictObject({}),
    malformedParams: 'NOT_FOUND',
    query: z.strictObject({}),
    body: z.unknown(),
    success: { status: 200, data: z.unknown() },
    errors: [],
  });
}
