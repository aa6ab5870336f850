import type { RouteDeclaration } from '../http/index.js';
import { toSnakeCase } from '../shapes/index.js';
import { exampleOf } from './example.js';
import { responsesOf } from './responses.js';
import { describeShape, type DescribedSchema, type JsonSchema } from './schema.js';
import { tagOf } from './tags.js';
import type { Operation, Parameter } from './types.js';

/** One route as an OpenAPI operation, and the named schemas that it refers to. */
export function operationOf(route: RouteDeclaration): { readonly operation: Operation } & Pick<DescribedSchema, 'named'> {
  const body = inSpellingOf(route, describeShape(route.rawContent ?? route.body, 'request'));
  const { responses, named } = responsesOf(route);
  const operation: Operation = {
    operationId: route.name,
    tags: [tagOf(route).name],
    ...serversOf(route),
    summary: route.summary,
    ...descriptionOf(route),
    security: securityOf(route),
    parameters: parametersOf(route),
    ...requestBodyOf(route, body),
    responses,
  };
  return { operation, named: { ...body.named, ...named } };
}

/** Its paths have no prefix. Path items and operations carry it, because some readers know only one of them. */
export function serversOf({ family }: RouteDeclaration): Pick<Operation, 'servers'> {
  return family === 'account' ? { servers: [{ url: '/' }] } : {};
}

/** Marks routes that ignore an Idempotency-Key. */
function descriptionOf(route: RouteDeclaration): Pick<Operation, 'description'> {
  const retry = route.retry === undefined ? [] : [`\`Idempotency-Key\` is ignored. ${route.retry}`];
  const paragraphs = [...(route.description === undefined ? [] : [route.description]), ...retry];
  return paragraphs.length === 0 ? {} : { description: paragraphs.join('\n\n') };
}

/** For security schemes without scopes, OpenAPI 3.1 defines the list as the required roles. */
function securityOf({ auth }: RouteDeclaration): Operation['security'] {
  if (auth === 'public') return [];
  if (auth === 'account') return [{ accountToken: [] }];
  return [{ credential: auth === 'any' ? [] : [auth] }];
}

function parametersOf(route: RouteDeclaration): Operation['parameters'] {
  const forMaster = route.auth === 'public' || route.auth === 'account' ? [] : ['MarketplaceId'];
  const common = ['RequestId', ...forMaster, ...(route.idempotent ? ['IdempotencyKey'] : [])];
  return [
    ...parametersIn('path', describeShape(route.params, 'request').schema),
    ...queryParametersOf(route),
    ...(route.headers === undefined ? [] : parametersIn('header', describeShape(route.headers, 'request').schema)),
    ...common.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function parametersIn(place: Parameter['in'], object: JsonSchema): readonly Parameter[] {
  return Object.entries(object.properties ?? {}).flatMap(([name, inner]): readonly Parameter[] => {
    if (typeof inner === 'boolean') return [];
    const { description, ...schema } = inner;
    const required = object.required?.includes(name) === true;
    return [{ name, in: place, required, ...(description === undefined ? {} : { description }), schema }];
  });
}

function queryParametersOf(route: RouteDeclaration): readonly Parameter[] {
  const parameters = parametersIn('query', inSpellingOf(route, describeShape(route.query, 'request')).schema);
  return route.family === 'account' ? parameters : parameters.flatMap(inBothSpellings);
}

/** The account API is documented in snake_case only, like its responses. Its requests are flat. */
function inSpellingOf({ family }: RouteDeclaration, described: DescribedSchema): DescribedSchema {
  if (family !== 'account') return described;
  const { properties = {}, required = [], ...schema } = described.schema;
  const renamed = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [toSnakeCase(name), inner]));
  return { ...described, schema: { ...schema, properties: renamed, required: required.map(toSnakeCase) } };
}

/** A filter may be sent in camelCase or in snake_case. */
function inBothSpellings(parameter: Parameter): readonly Parameter[] {
  const name = toSnakeCase(parameter.name);
  if (name === parameter.name) return [parameter];
  return [parameter, { ...parameter, name, required: false, description: `The same as \`${parameter.name}\`` }];
}

function requestBodyOf(route: RouteDeclaration, body: DescribedSchema): Pick<Operation, 'requestBody'> {
  const takesFields = Object.keys(body.schema.properties ?? {}).length > 0;
  if (route.method === 'get' || !takesFields) return {};
  const example = exampleOf(body, `the body of ${route.name}`);
  const media = { schema: body.schema, examples: { request: { value: example } } };
  return { requestBody: { required: (body.schema.required ?? []).length > 0, content: { 'application/json': media } } };
}
