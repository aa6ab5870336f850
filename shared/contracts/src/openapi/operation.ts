import type { RouteDeclaration } from '../http/index.js';
import { services } from '../services/index.js';
import { toSnakeCase } from '../shapes/index.js';
import { exampleOf } from './example.js';
import { responsesOf } from './responses.js';
import { describeShape, type DescribedSchema, type JsonSchema } from './schema.js';
import { tagOf } from './tags.js';
import type { Operation, Parameter } from './types.js';

/** One route as an OpenAPI operation, and the named schemas that it refers to. */
export function operationOf(route: RouteDeclaration): { readonly operation: Operation } & Pick<DescribedSchema, 'named'> {
  const body = describeShape(route.rawContent ?? route.body, 'request');
  const { responses, named } = responsesOf(route);
  const operation: Operation = {
    operationId: route.name,
    tags: [tagOf(route).name],
    summary: route.summary,
    ...descriptionOf(route),
    'x-available': isAvailable(route),
    security: securityOf(route),
    parameters: parametersOf(route),
    ...requestBodyOf(route, body),
    responses,
  };
  return { operation, named: { ...body.named, ...named } };
}

/** Marks routes whose service does not exist yet, and routes that ignore an Idempotency-Key. */
function descriptionOf(route: RouteDeclaration): Pick<Operation, 'description'> {
  const absence = isAvailable(route) ? [] : ['**Not available in this version:** returns 503 SERVICE_UNAVAILABLE.'];
  const retry = route.retry === undefined ? [] : [`\`Idempotency-Key\` is ignored. ${route.retry}`];
  const paragraphs = [...absence, ...(route.description === undefined ? [] : [route.description]), ...retry];
  return paragraphs.length === 0 ? {} : { description: paragraphs.join('\n\n') };
}

function isAvailable({ service }: RouteDeclaration): boolean {
  return service === 'gateway' || services[service].exists;
}

/** For security schemes without scopes, OpenAPI 3.1 defines the list as the required roles. */
function securityOf({ auth }: RouteDeclaration): Operation['security'] {
  if (auth === 'public') return [];
  return [{ credential: auth === 'any' ? [] : [auth] }];
}

function parametersOf(route: RouteDeclaration): Operation['parameters'] {
  const forMaster = route.auth === 'public' ? [] : ['MarketplaceId'];
  const common = ['RequestId', ...forMaster, ...(route.idempotent ? ['IdempotencyKey'] : [])];
  return [
    ...parametersIn('path', describeShape(route.params, 'request').schema),
    ...parametersIn('query', describeShape(route.query, 'request').schema).flatMap(inBothSpellings),
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
