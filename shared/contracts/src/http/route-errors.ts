import { errorCatalogue, errorCodes, type ErrorCode } from '@holdfast/kernel/errors';
import { ignoredBody, rawBody } from '../shapes/index.js';
import type { RouteDeclaration } from './route.js';

type RouteFacts = Pick<
  RouteDeclaration,
  'auth' | 'body' | 'errors' | 'idempotent' | 'malformedParams' | 'method' | 'path' | 'refusals'
>;

/** All error codes of a route: its own and those of the gateway's middleware. In catalogue order. */
export function errorsOf(route: RouteFacts): readonly ErrorCode[] {
  const possible = new Set<ErrorCode>([
    'VALIDATION_ERROR',
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
    ...route.errors,
    ...Object.values(route.refusals ?? {}),
    ...(route.auth === 'public' ? [] : (['UNAUTHORIZED'] as const)),
    ...(route.auth === 'public' || route.auth === 'any' ? [] : (['INSUFFICIENT_SCOPE'] as const)),
    ...(route.path.includes('{') ? [route.malformedParams] : []),
    ...(route.method === 'get' ? [] : (['PAYLOAD_TOO_LARGE'] as const)),
    ...(isJsonRequired(route) ? (['UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(route.idempotent ? (['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_PROGRESS'] as const) : []),
  ]);
  return errorCodes.filter((code) => possible.has(code));
}

function isJsonRequired({ method, body }: RouteFacts): boolean {
  return method !== 'get' && body !== ignoredBody && body !== rawBody;
}

/** The HTTP status of a code on a route. */
export function statusOf(code: ErrorCode, family: RouteDeclaration['family']): number {
  // The specification wants 400 here, not 409: order, escrow, resolution and dispute routes respond to INVALID_STATE with 400.
  if (code === 'INVALID_STATE' && family === 'order') return 400;
  return errorCatalogue[code].status;
}
