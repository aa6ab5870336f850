// What the SDK knows of each operation, read from the OpenAPI document.

/** Called by payment and escrow providers, or by the browser that a provider redirects. */
const forOthers = /^(providerWebhooks\.|topups\.handleReturn$)/;
/** The SDK has a hand-written method for it, because it is a stream. */
const streams = new Set(['events.stream']);
const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** One entry per operation that has a method in the SDK, in the order of the document. */
export function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => ({ path, method, item, declared: item[method] }))
      .filter(({ declared }) => !forOthers.test(declared.operationId) && !streams.has(declared.operationId))
      .map((found) => operationOf(document, found)),
  );
}

function operationOf(document, { path, method, item, declared }) {
  const [resource, name] = declared.operationId.split('.');
  const parameters = (declared.parameters ?? []).map((one) => resolve(document, one));
  const server = (declared.servers ?? item.servers ?? document.servers)[0].url.replace(/\/$/, '');
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
  const [, success] = Object.entries(declared.responses).find(([status]) => status < 300);
  return {
    id: declared.operationId,
    resource,
    name,
    declared,
    method: method.toUpperCase(),
    path: `${server}${path}`,
    pathParameters,
    query: parameters.filter((one) => one.in === 'query' && !isAlias(one)).map((one) => one.name),
    repeatedInBody: pathParameters.filter((parameter) => bodyOf(declared)?.properties[parameter] !== undefined),
    body: declared.requestBody === undefined ? 'none' : declared.requestBody.required === true ? 'required' : 'optional',
    isIdempotent: parameters.some((one) => one.name === 'Idempotency-Key'),
    ...innermost(document, success.content['application/json'].schema),
  };
}

function bodyOf({ requestBody }) {
  return requestBody?.content['application/json'].schema;
}

/** `created_after` is "The same as `createdAfter`". */
function isAlias(parameter) {
  return /^The same as `/.test(parameter.description ?? '');
}

/** Where the record is in the response, and for a list how the pages follow each other. */
function innermost(document, envelope) {
  const data = resolve(document, envelope.properties.data);
  // Statements, and lists that also name what is unavailable, are records with a cursor.
  if (data.properties?.nextCursor !== undefined && data.properties.success !== undefined)
    return { at: ['data', 'data'], schema: data.properties.data.items, pages: 'cursor' };
  if (data.properties?.pagination !== undefined) {
    const [list, { items }] = Object.entries(data.properties).find(([, property]) => property.type === 'array');
    return { at: ['data', list], schema: items, pages: 'number' };
  }
  if (data.properties?.success !== undefined) return { at: ['data', 'data'], schema: data.properties.data };
  return { at: ['data'], schema: envelope.properties.data };
}

/**
 * The document with the innermost record as each response, and without what the client does by itself: errors, headers, second spellings
 * and path parameters in bodies.
 */
export function plainDocument(document, operations) {
  const paths = {};
  for (const { path, method, declared, schema, repeatedInBody } of operations) {
    const { operationId, summary } = declared;
    const requestBody = withoutFields(declared.requestBody, repeatedInBody);
    const parameters = (declared.parameters ?? []).filter(
      (one) => one.$ref === undefined && one.in !== 'header' && !isAlias(one),
    );
    const responses = { 200: { description: 'The record', content: { 'application/json': { schema } } } };
    paths[path] = { ...paths[path], [method.toLowerCase()]: { operationId, summary, parameters, requestBody, responses } };
  }
  return {
    openapi: document.openapi,
    info: document.info,
    paths,
    webhooks: document.webhooks,
    components: namedSchemas(document),
  };
}

function withoutFields(requestBody, names) {
  if (names.length === 0) return requestBody;
  const schema = structuredClone(requestBody.content['application/json'].schema);
  for (const name of names) delete schema.properties[name];
  schema.required = schema.required.filter((name) => !names.includes(name));
  return { ...requestBody, content: { 'application/json': { schema } } };
}

/** The named schemas, without the envelopes. */
function namedSchemas({ components }) {
  const { Error: _error, AccountError: _accountError, Meta: _meta, ...schemas } = components.schemas;
  return { schemas };
}

function resolve(document, value) {
  if (value.$ref === undefined) return value;
  return resolve(
    document,
    value.$ref
      .split('/')
      .slice(1)
      .reduce((part, key) => part[key], document),
  );
}
