// Turns the operations into TypeScript: the table that the client runs on, and the types of its resources.

export function writeOperations(operations, sha256) {
  const rows = operations.map(({ id, method, path, query, body, repeatedInBody, isIdempotent, at, pages }) => {
    const fields = [`method: '${method}'`, `path: '${path}'`, `at: [${at.map((key) => `'${key}'`).join(', ')}]`];
    if (pages !== undefined) fields.push(`pages: '${pages}'`);
    if (query.length > 0) fields.push(`query: [${query.map((key) => `'${key}'`).join(', ')}]`);
    if (body !== 'none') fields.push('hasBody: true');
    if (repeatedInBody.length > 0) fields.push(`repeatedInBody: [${repeatedInBody.map((key) => `'${key}'`).join(', ')}]`);
    if (isIdempotent) fields.push('isIdempotent: true');
    return `  '${id}': { ${fields.join(', ')} },`;
  });
  return `/** The document that this was written from. */
export const openApiSha256 = '${sha256}';

export const operations = {
${rows.join('\n')}
} as const;

export type OperationId = keyof typeof operations;
`;
}

export function errorCodesOf({ components }) {
  return components.schemas.Error.properties.error.properties.code.enum;
}

export function writeResources(operations, { errorCodes, events }) {
  const resources = byResource(operations);
  const imports = new Set();
  const inputs = operations.filter(takesInput).map((operation) => inputType(operation, imports));
  const members = [...resources].map(([resource, list]) => {
    const lines = list.map((operation) => methodOf(operation, imports));
    return `  declare readonly ${resource}: {\n${lines.join('\n')}\n  };`;
  });
  const payloads = events.map((event) => `${pascal(event)}WebhookPayload`);
  payloads.forEach((name) => imports.add(name));
  return `import type { CallOptions } from '../call-options.js';
import type { List } from '../list.js';
import type {
${[...imports]
  .sort()
  .map((name) => `  ${name},`)
  .join('\n')}
} from './types.js';

/** The codes of the platform's errors. */
export type ErrorCode =
${errorCodes.map((code) => `  | '${code}'`).join('\n')};

/** An event, as the stream and webhooks carry it. \`eventType\` tells which payload it has. */
export type HoldfastEvent =
${payloads.map((name) => `  | ${name}`).join('\n')};

${inputs.join('\n')}

/** The operations of the platform, one method each. */
export abstract class Resources {
${members.join('\n')}
}
`;
}

function byResource(operations) {
  const groups = new Map();
  for (const operation of operations) groups.set(operation.resource, [...(groups.get(operation.resource) ?? []), operation]);
  return groups;
}

function takesInput({ body, query }) {
  return body !== 'none' || query.length > 0;
}

function inputType({ id, body, query }, imports) {
  const data = `${pascal(id)}Data`;
  imports.add(data);
  const parts = [];
  if (body !== 'none') parts.push(`NonNullable<${data}['body']>`);
  if (query.length > 0) parts.push(`NonNullable<${data}['query']>`);
  return `export type ${pascal(id)}Input = ${parts.join(' & ')};`;
}

function methodOf(operation, imports) {
  const { id, name, declared, method, path, pathParameters, body, pages } = operation;
  const [schema, preview] = operation.schema.anyOf ?? [operation.schema];
  const isInputRequired =
    body === 'required' || (declared.parameters ?? []).some((one) => one.in === 'query' && one.required === true);
  const input = takesInput(operation) ? [`input${isInputRequired ? '' : '?'}: ${pascal(id)}Input`] : [];
  const inPath = pathParameters.map((parameter) => `${parameter}: string`);
  const parameters = [...inPath, ...input, 'options?: CallOptions'];
  const record = schema.$ref?.split('/').pop() ?? `${pascal(id)}Response`;
  imports.add(record);
  const result = pages === undefined ? `Promise<${record}>` : `List<${record}>`;
  const summary = `    /** ${declared.summary}: \`${method} ${path}\`. */\n`;
  const previewed = preview === undefined ? '' : `${summary}${previewOf(operation, inPath, preview, imports)}`;
  return `${previewed}${summary}    ${name}(${parameters.join(', ')}): ${result};`;
}

/** The overload of a method that only shows, with \`preview\`, what it would do. */
function previewOf({ id, name }, inPath, { $ref }, imports) {
  const record = $ref.split('/').pop();
  imports.add(record);
  const parameters = [...inPath, `input: ${pascal(id)}Input & { preview: 'true' }`, 'options?: CallOptions'];
  return `    ${name}(${parameters.join(', ')}): Promise<${record}>;\n`;
}

/** As @hey-api/openapi-ts names types: `orders.fundEscrow` is OrdersFundEscrow, `order.in_progress` is OrderInProgress. */
function pascal(id) {
  return id.replace(/(^|[._])(\w)/g, (_match, _separator, letter) => letter.toUpperCase());
}
