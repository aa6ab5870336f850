import { errorCatalogue, type ErrorCode } from '@holdfast/kernel/errors';
import { errorsOf, statusOf, type RouteDeclaration } from '../http/index.js';
import { accountErrorExample } from './error-examples.js';
import { describeShape, referenceTo, type DescribedSchema } from './schema.js';
import { successContent } from './success-content.js';
import type { Operation, Response } from './types.js';

const commonHeaders = ['X-Request-ID', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
const idempotentHeaders = ['X-Idempotency-Key', 'Idempotency-Replay'] as const;
const codesToRetryAfter: readonly ErrorCode[] = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'PLATFORM_STOPPED'];

/** All responses of a route by status, and the named schemas that they refer to. */
export function responsesOf(route: RouteDeclaration): Pick<Operation, 'responses'> & Pick<DescribedSchema, 'named'> {
  const data = describeShape(route.success.data, 'response');
  return { responses: { ...successResponses(route, data), ...errorResponses(route) }, named: data.named };
}

const descriptions = { 200: 'OK', 201: 'Created', 202: 'Accepted' } as const;

function successResponses(route: RouteDeclaration, data: DescribedSchema): Operation['responses'] {
  const { status, existingStatus, acceptedStatus, form } = route.success;
  const headers = headersNamed([...commonHeaders, ...(route.idempotent ? idempotentHeaders : [])]);
  const response = { description: descriptions[status], headers, content: successContent(route, data) };
  const success = { [String(status)]: response };
  if (existingStatus !== undefined)
    return { [String(existingStatus)]: { ...response, description: 'Already exists' }, ...success };
  if (acceptedStatus !== undefined) return { ...success, [String(acceptedStatus)]: { ...response, description: 'Accepted' } };
  if (form !== 'page') return success;
  return { ...success, 302: { description: 'Redirect', headers: { ...headers, ...headersNamed(['Location']) } } };
}

function headersNamed(names: readonly string[]): Response['headers'] {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function errorResponses(route: RouteDeclaration): Operation['responses'] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(route)) {
    const status = statusOf(code, route.family);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  const respond = (codes: readonly ErrorCode[]): Response =>
    route.family === 'account' ? accountErrorResponse(route, codes) : errorResponse(codes);
  return Object.fromEntries(sorted.map(([status, codes]) => [String(status), respond(codes)]));
}

function errorResponse(codes: readonly ErrorCode[]): Response {
  return {
    description: codes.map((code) => `${code}: ${errorCatalogue[code].message}`).join('\n\n'),
    headers: errorHeaders(codes),
    content: {
      'application/json': {
        schema: referenceTo('Error'),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** The account API has no codes: the status and the message tell errors apart. */
function accountErrorResponse(route: RouteDeclaration, codes: readonly ErrorCode[]): Response {
  const described = codes.map((code) => ({ code, ...accountErrorExample(code, route) }));
  return {
    description: described.map(({ summary }) => summary).join('\n\n'),
    headers: errorHeaders(codes),
    content: {
      'application/json': {
        schema: referenceTo('AccountError'),
        examples: Object.fromEntries(described.map(({ code, ...example }) => [code, example])),
      },
    },
  };
}

function errorHeaders(codes: readonly ErrorCode[]): Response['headers'] {
  const retryAfter = codes.some((code) => codesToRetryAfter.includes(code)) ? ['Retry-After'] : [];
  return headersNamed([...commonHeaders, ...retryAfter]);
}
