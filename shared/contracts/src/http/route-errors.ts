import { errorCatalogue, errorCodes, type ErrorCode } from '@holdfast/kernel/errors';
import { ignoredBody, rawBody } from '../shapes/index.js';
import type { RouteDeclaration, RouteFamily } from './route.js';

type RouteFacts = Pick<
  RouteDeclaration,
  'auth' | 'body' | 'errors' | 'idempotent' | 'malformedParams' | 'method' | 'path' | 'refusals'
>;

/** All error codes of a route: its own and the codes of the gateway's middleware, in catalogue order. */
export function errorsOf(route: RouteFacts): readonly ErrorCode[] {
  const possible = new Set<ErrorCode>([
    'VALIDATION_ERROR',
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
    ...route.errors,
    ...Object.values(route.refusals ?? {}),
    ...(route.auth === 'public' ? [] : (['UNAUTHORIZED'] as const)),
    ...(isWithoutScope(route) ? [] : (['INSUFFICIENT_SCOPE'] as const)),
    ...(route.path.includes('{') ? [route.malformedParams] : []),
    ...(route.method === 'get' ? [] : (['PAYLOAD_TOO_LARGE'] as const)),
    ...(isJsonRequired(route) ? (['UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(route.idempotent ? (['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_PROGRESS'] as const) : []),
  ]);
  return errorCodes.filter((code) => possible.has(code));
}

function isWithoutScope({ auth }: RouteFacts): boolean {
  return auth === 'public' || auth === 'any' || auth === 'account';
}

function isJsonRequired({ method, body }: RouteFacts): boolean {
  return method !== 'get' && body !== ignoredBody && body !== rawBody;
}

/** Statuses that differ from the catalogue, as specified. */
const otherStatuses: Readonly<Record<RouteFamily, Readonly<Partial<Record<ErrorCode, number>>>>> = {
  order: { INVALID_STATE: 400 },
  account: { VALIDATION_ERROR: 422, INSUFFICIENT_FUNDS: 400, INVALID_STATE: 400 },
  plain: {},
};

/** The HTTP status of a code on a route. */
export function statusOf(code: ErrorCode, family: RouteFamily): number {
  return otherStatuses[family][code] ?? errorCatalogue[code].status;
}
