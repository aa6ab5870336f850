import type { RouteDeclaration } from '../http/index.js';
import { exampleRequestId } from './error-examples.js';
import { exampleOf } from './example.js';
import { referenceTo, type DescribedSchema, type JsonSchema } from './schema.js';
import type { Response } from './types.js';

type Content = NonNullable<Response['content']>;
type SuccessContent = { readonly schema: JsonSchema; readonly example: unknown };

/** The success response of a route, by content type. */
export function successContent(route: RouteDeclaration, data: DescribedSchema): Content {
  const example = exampleOf(data, `the response of ${route.name}`);
  const plain = { schema: data.schema, example };
  switch (route.success.form) {
    case 'bare':
      return contentOf('application/json', plain);
    case 'page':
      return contentOf('text/html', { schema: { type: 'string' }, example: textIn(example, 'html') });
    case 'event-stream':
      return contentOf('text/event-stream', { schema: data.schema, example: streamed(example) });
    default:
      return {
        ...contentOf('application/json', route.family === 'account' ? forPeople(route, plain) : enveloped(wrapped(route, plain))),
        ...downloadContent(route),
      };
  }
}

/** The file that a client gets with `Accept`. */
function downloadContent({ success: { download } }: RouteDeclaration): Content {
  if (download === undefined) return {};
  return contentOf(download.contentType, { schema: { type: 'string' }, example: download.example });
}

function contentOf(contentType: string, { schema, example }: SuccessContent): Content {
  return { [contentType]: { schema, examples: { success: { value: example } } } };
}

/** One message of the stream in its wire format. */
function streamed(example: unknown): string {
  return `id: ${textIn(example, 'occurredAt')}\nevent: ${textIn(example, 'eventType')}\ndata: ${JSON.stringify(example)}\n\n`;
}

function textIn(example: unknown, field: string): string {
  const value: unknown = typeof example === 'object' && example !== null ? Reflect.get(example, field) : undefined;
  return typeof value === 'string' ? value : '';
}

function enveloped({ schema, example }: SuccessContent): SuccessContent {
  return {
    schema: objectOf({ data: schema, meta: referenceTo('Meta') }),
    example: { data: example, meta: { requestId: exampleRequestId, timestamp: '2026-01-31T12:00:00.123456Z' } },
  };
}

/** The envelope of the account API. */
function forPeople({ success }: RouteDeclaration, { schema, example }: SuccessContent): SuccessContent {
  const { message = '' } = success;
  const fixed = { code: { const: 200 }, type: { const: 'success' }, ok: { const: true }, message: { type: 'string' } } as const;
  return {
    schema: objectOf({ ...fixed, data: schema }),
    example: { code: 200, type: 'success', ok: true, message, data: example },
  };
}

/** The schema of `data` in the success envelope. */
function wrapped({ success: { list }, family }: RouteDeclaration, { schema, example }: SuccessContent): SuccessContent {
  const success: JsonSchema = { type: 'boolean', const: true, description: 'Always true' };
  const nextCursor: JsonSchema = {
    type: ['string', 'null'],
    description: 'Send it as `cursor` to get the next page; null on the last page',
  };
  if (list === true) {
    const items: JsonSchema = { type: 'array', items: schema };
    return {
      schema: objectOf({
        success,
        data: items,
        hasMore: { type: 'boolean', description: 'Whether there is a next page' },
        nextCursor,
      }),
      example: { success: true, data: [example], hasMore: false, nextCursor: null },
    };
  }
  if (family !== 'order') return { schema, example };
  return { schema: objectOf({ success, data: schema }), example: { success: true, data: example } };
}

function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties: { ...properties } };
}
