import { errorCatalogue, type ErrorCode } from '../../errors/index.js';
import { errorsOf, statusOf, type RouteDeclaration } from '../http/index.js';
import { exampleRequestId } from './error-examples.js';
import { exampleOf } from './example.js';
import { describeShape, referenceTo, type DescribedSchema, type JsonSchema } from './schema.js';
import type { Operation, Response } from './types.js';

const everyAnswer = ['X-Request-ID', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
const idempotentAnswer = ['X-Idempotency-Key', 'Idempotency-Replay'] as const;
const codesToRetryAfter: readonly ErrorCode[] = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE'];

/** All answers of a route by status, and the named schemas that they refer to. */
export function responsesOf(route: RouteDeclaration): Pick<Operation, 'responses'> & Pick<DescribedSchema, 'named'> {
  const data = describeShape(route.success.data, 'answer');
  const { status, existingStatus } = route.success;
  const success = successResponse(route, data);
  const existing =
    existingStatus === undefined ? {} : { [String(existingStatus)]: { ...success, description: 'It was there before' } };
  return { responses: { ...existing, [String(status)]: success, ...errorResponses(route) }, named: data.named };
}

function successResponse(route: RouteDeclaration, data: DescribedSchema): Response {
  const { schema, example } = route.success.isBare === true ? bare(route, data) : wrapped(route, data);
  return {
    description: route.success.status === 201 ? 'Created' : 'Done',
    headers: headersNamed([...everyAnswer, ...(route.idempotent ? idempotentAnswer : [])]),
    content: { 'application/json': { schema, examples: { success: { value: example } } } },
  };
}

type Answered = { readonly schema: JsonSchema; readonly example: unknown };

function bare(route: RouteDeclaration, data: DescribedSchema): Answered {
  return { schema: data.schema, example: exampleOf(data, `the answer of ${route.name}`) };
}

function wrapped(route: RouteDeclaration, data: DescribedSchema): Answered {
  const envelope = envelopeOf(route, data);
  const example = {
    data: envelope.wrapExample(exampleOf(data, `the answer of ${route.name}`)),
    meta: { requestId: exampleRequestId, timestamp: '2026-01-31T12:00:00.123456Z' },
  };
  return { schema: objectOf({ data: envelope.schema, meta: referenceTo('Meta') }), example };
}

type Envelope = { readonly schema: JsonSchema; readonly wrapExample: (example: unknown) => unknown };

/** What stands in the `data` of the success envelope. */
function envelopeOf(route: RouteDeclaration, data: DescribedSchema): Envelope {
  const success: JsonSchema = { type: 'boolean', const: true };
  const textOrNull: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'null' }] };
  if (route.success.list === true) {
    const list: JsonSchema = { type: 'array', items: data.schema };
    return {
      schema: objectOf({ success, data: list, hasMore: { type: 'boolean' }, nextCursor: textOrNull }),
      wrapExample: (example) => ({ success: true, data: [example], hasMore: false, nextCursor: null }),
    };
  }
  if (route.family === 'order') {
    return { schema: objectOf({ success, data: data.schema }), wrapExample: (example) => ({ success: true, data: example }) };
  }
  return { schema: data.schema, wrapExample: (example) => example };
}

function errorResponses(route: RouteDeclaration): Operation['responses'] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(route)) {
    const status = statusOf(code, route.family);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(sorted.map(([status, codes]) => [String(status), errorResponse(codes)]));
}

function errorResponse(codes: readonly ErrorCode[]): Response {
  const retryAfter = codes.some((code) => codesToRetryAfter.includes(code)) ? ['Retry-After'] : [];
  return {
    description: codes.map((code) => `${code}: ${errorCatalogue[code].message}`).join('\n\n'),
    headers: headersNamed([...everyAnswer, ...retryAfter]),
    content: {
      'application/json': {
        schema: referenceTo('Error'),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function headersNamed(names: readonly string[]): Response['headers'] {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties: { ...properties } };
}
