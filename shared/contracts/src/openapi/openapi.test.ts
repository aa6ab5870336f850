import { z } from 'zod';
import {
  allRoutes,
  createOrder,
  errorsOf,
  event,
  httpMethods,
  route,
  statusOf,
  type HttpMethod,
  type RouteDeclaration,
} from '../http/index.js';
import { allMessages } from '../messages/index.js';
import { toSnakeCase } from '../shapes/index.js';
import { exampleOf, openApiDocument, describeShape, type OpenApiDocument, type Operation } from './index.js';

const document = openApiDocument(allRoutes, allMessages, '1.2.3');

const aRoute = (changes: Partial<RouteDeclaration>): RouteDeclaration =>
  route({
    name: 'orders.getThing',
    method: 'get',
    path: '/things/{id}',
    service: 'orders',
    summary: 'Get a thing',
    auth: 'read',
    idempotent: false,
    family: 'plain',
    params: z.strictObject({ id: z.string() }),
    malformedParams: 'ORDER_NOT_FOUND',
    query: z.strictObject({}),
    body: z.strictObject({}),
    success: { status: 200, data: z.object({ size: z.number() }) },
    errors: [],
    ...changes,
  });

const operationIn = (made: OpenApiDocument, { path, method }: RouteDeclaration): Operation | undefined =>
  made.paths[path]?.[method];
const jsonOf = (response: Operation['responses'][string] | undefined) => response?.content?.['application/json'];
const exampleIn = (media: { readonly examples: object } | undefined, name: string): unknown =>
  at(media, 'examples', name, 'value');
const successExample = (changes: Partial<RouteDeclaration>): unknown => {
  const only = aRoute(changes);
  const documented = operationIn(openApiDocument([only], [], '1'), only)?.responses['200'];
  return at(exampleIn(documented?.content?.['application/json'], 'success'), 'data');
};

describe('the OpenAPI document', () => {
  it('is reproducible', () => {
    expect(JSON.stringify(openApiDocument(allRoutes, allMessages, '1.2.3'))).toBe(JSON.stringify(document));
  });

  it('has no dangling references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, pointer = '']) => pointer);
    expect(references.length).toBeGreaterThan(0);
    expect([...new Set(references)].filter((pointer) => at(document, ...pointer.split('/')) === undefined)).toEqual([]);
  });

  it('has one operation per route, with the route name as operation id', () => {
    const operations = Object.values(document.paths).flatMap((onPath) => httpMethods.flatMap((method) => onPath[method] ?? []));
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(allRoutes.map(({ name }) => name).sort());
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  it('has every public event as a webhook, with a valid example', () => {
    const events = allMessages.filter(({ visibility }) => visibility === 'public');
    expect(Object.keys(document.webhooks)).toEqual(events.map(({ type }) => type));
    for (const { type, payload } of events) {
      const example = event.parse(exampleIn(document.webhooks[type]?.post.requestBody.content['application/json'], 'event'));
      expect(payload.safeParse(example.payload).error).toBeUndefined();
    }
  });

  it('says of every event that it is posted to webhook endpoints and comes by the stream', () => {
    const descriptions = Object.values(document.webhooks).map(({ post }) => post.description);
    expect(descriptions.filter((text) => !text.includes('`GET /events`') || !text.includes('webhook endpoints'))).toEqual([]);
    expect(descriptions.length).toBeGreaterThan(0);
    expect(document.info['description']).toContain('posted to your webhook endpoints');
  });

  it('says in its introduction how lists are wrapped, which is true of every list', () => {
    const listForm = /every list of every resource: `(.+)`\. The items/.exec(String(document.info['description']))?.[1];
    expect(listForm).toBe('{ "data": { "success": true, "data": [ … ], "hasMore", "nextCursor" }, "meta": … }');
    const lists = allRoutes.filter(({ success }) => success.list === true);
    const keysOf = (list: RouteDeclaration): readonly string[] => {
      const example = exampleIn(jsonOf(operationIn(document, list)?.responses['200']), 'success');
      return [Object.keys(Object(example)), Object.keys(Object(at(example, 'data')))].map(String);
    };
    const wrapped = ['data,meta', 'success,data,hasMore,nextCursor'];
    expect(lists.filter((list) => String(keysOf(list)) !== String(wrapped)).map(({ name }) => name)).toEqual([]);
    expect(lists.length).toBeGreaterThan(5);
  });

  it('has a tag per resource, and refuses operation ids without a known resource', () => {
    expect(operationIn(document, createOrder)).toMatchObject({ operationId: 'orders.create', tags: ['Orders'] });
    expect(() => openApiDocument([aRoute({ name: 'getThing' })], [], '1')).toThrow('name it as in orders.create');
  });

  it('refuses two routes with the same method and path, and two schemas with the same name', () => {
    expect(() => openApiDocument([aRoute({}), aRoute({ name: 'orders.other' })], [], '1')).toThrow(
      'get /things/{id} is declared twice',
    );
    const named = (field: string): RouteDeclaration['success'] => ({
      status: 200,
      data: z.object({ [field]: z.number() }).meta({ id: 'Thing' }),
    });
    const twice = [aRoute({ success: named('a') }), aRoute({ path: '/other', success: named('b') })];
    expect(() => openApiDocument(twice, [], '1')).toThrow('two different schemas are named Thing');
  });
});

describe.each(allRoutes)('the operation $name', (declared) => {
  const operation = operationIn(document, declared);

  it('declares every path parameter', () => {
    const placeholders = [...declared.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const parameters = operation?.parameters.flatMap((one) => ('in' in one && one.in === 'path' ? [one.name] : []));
    expect(parameters).toEqual(placeholders);
  });

  it('has a valid example request', () => {
    const media = operation?.requestBody?.content['application/json'];
    const shape = declared.rawContent ?? declared.body;
    const example = media === undefined ? {} : exampleIn(media, 'request');
    expect(shape.safeParse(declared.family === 'account' ? inCamelCase(example) : example).error).toBeUndefined();
  });

  it('has a valid example response', () => {
    if (declared.success.form === 'page' || declared.success.form === 'event-stream') return;
    const documented = exampleIn(jsonOf(operation?.responses[declared.success.status]), 'success');
    const shown = at(documented, ...whereDataStands(declared));
    expect(declared.success.data.safeParse(shown).error).toBeUndefined();
  });

  it('has all errors under their status, with an example', () => {
    for (const code of errorsOf(declared)) {
      const media = jsonOf(operation?.responses[statusOf(code, declared.family)]);
      expect(Object.keys(media?.examples ?? {})).toContain(code);
      expect(document.components.examples[code]?.value).toMatchObject({
        error: { code, details: { requestId: expect.any(String) } },
      });
    }
  });
});

describe('the parameters of an operation', () => {
  const namesOf = ({ path, method }: { readonly path: string; readonly method: HttpMethod }) =>
    document.paths[path]?.[method]?.parameters.map((one) => ('name' in one ? one.name : one.$ref.split('/').at(-1)));

  it('name both spellings of every filter', () => {
    expect(namesOf({ path: '/orders', method: 'get' })).toEqual([
      'limit',
      'cursor',
      'createdAfter',
      'created_after',
      'createdBefore',
      'created_before',
      'status',
      'buyerId',
      'buyer_id',
      'sellerId',
      'seller_id',
      'clientOrderRef',
      'client_order_ref',
      'RequestId',
      'MarketplaceId',
    ]);
    for (const { path, method, query, family } of allRoutes) {
      const filters = Object.keys(describeShape(query, 'request').schema.properties ?? {});
      const snakeCase = filters.map(toSnakeCase);
      const expected = family === 'account' ? snakeCase : [...filters, ...snakeCase];
      expect(namesOf({ path, method })).toEqual(expect.arrayContaining(expected));
    }
  });

  it('have X-Marketplace-ID wherever a credential of a marketplace is needed', () => {
    for (const { path, method, auth, family } of allRoutes)
      expect([path, namesOf({ path, method })?.includes('MarketplaceId')]).toEqual([
        path,
        auth !== 'public' && family !== 'account',
      ]);
    expect(document.components.parameters['MarketplaceId']).toMatchObject({ name: 'X-Marketplace-ID', in: 'header' });
  });
});

describe('an order, escrow, resolution or dispute operation', () => {
  const changing = allRoutes.filter(({ family, method }) => family === 'order' && method !== 'get');

  it.each(changing)('$name says that it ignores Idempotency-Key, and what protects a retry', (declared) => {
    expect(operationIn(document, declared)?.description).toMatch(
      /`Idempotency-Key` is ignored\. .*(INVALID_STATE|CLIENT_ORDER_REF_EXISTS|not protected)/,
    );
  });
});

describe('a response', () => {
  it('of an order route has the order envelope', () => {
    expect(successExample({ family: 'order' })).toEqual({ success: true, data: { size: 1 } });
  });

  it('of a list has a page of items', () => {
    const success = { status: 200, data: z.object({ size: z.number() }), list: true } as const;
    expect(successExample({ success })).toEqual({ success: true, data: [{ size: 1 }], hasMore: false, nextCursor: null });
  });

  it('of a create route with an existingStatus has both statuses', () => {
    const created = aRoute({ success: { status: 201, existingStatus: 200, data: z.object({ size: z.number() }) } });
    const responses = operationIn(openApiDocument([created], [], '1'), created)?.responses;
    expect(responses?.['200']?.content).toEqual(responses?.['201']?.content);
    expect(responses?.['200']?.content).toBeDefined();
  });

  it('of a route with an acceptedStatus has both statuses', () => {
    const confirmed = aRoute({ success: { status: 200, acceptedStatus: 202, data: z.object({ size: z.number() }) } });
    const responses = operationIn(openApiDocument([confirmed], [], '1'), confirmed)?.responses;
    expect(responses?.['202']).toMatchObject({ description: 'Accepted', content: responses?.['200']?.content });
  });

  it('of any other route is the object', () => {
    expect(successExample({})).toEqual({ size: 1 });
  });
});

describe('the errors of a route', () => {
  it('are its own and the codes of the middleware', () => {
    expect(errorsOf(aRoute({ errors: ['INVALID_STATE'] }))).toEqual([
      'VALIDATION_ERROR',
      'UNAUTHORIZED',
      'INSUFFICIENT_SCOPE',
      'ORDER_NOT_FOUND',
      'INVALID_STATE',
      'RATE_LIMITED',
      'INTERNAL_ERROR',
      'SERVICE_UNAVAILABLE',
    ]);
  });

  it('have no 401 on public routes, and no 404 without a path parameter', () => {
    const codes = errorsOf(aRoute({ auth: 'public', path: '/config' }));
    expect(codes).toEqual(['VALIDATION_ERROR', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);
  });

  it('have 400 for INVALID_STATE on order routes and 409 elsewhere', () => {
    expect([statusOf('INVALID_STATE', 'order'), statusOf('INVALID_STATE', 'plain')]).toEqual([400, 409]);
  });
});

describe('an example', () => {
  it('is required if none can be generated', () => {
    const shape = z.object({ order: z.object({ note: z.string() }) });
    expect(() => exampleOf(describeShape(shape, 'response'), 'the order')).toThrow('the order.order.note needs an example');
  });

  it('omits optional fields without an example', () => {
    const shape = z.object({
      a: z.string().optional(),
      b: z.string().meta({ example: 'x' }).optional(),
      c: z.array(z.boolean()),
    });
    expect(exampleOf(describeShape(shape, 'response'), 'it')).toEqual({ b: 'x', c: [true] });
  });
});

function whereDataStands({ family, success }: RouteDeclaration): readonly string[] {
  if (success.form === 'bare') return [];
  if (success.list === true) return ['data', 'data', '0'];
  return family === 'order' ? ['data', 'data'] : ['data'];
}

function inCamelCase(example: unknown): unknown {
  const entries = Object.entries(example as object);
  return Object.fromEntries(
    entries.map(([key, value]) => [key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), value]),
  );
}

/** The value at a path of keys. */
function at(node: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce((inner, key) => (inner as Readonly<Record<string, unknown>> | undefined)?.[key], node);
}
