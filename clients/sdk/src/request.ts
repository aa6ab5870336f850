import type { CallOptions, Settings } from './call-options.js';
import { operations, type OperationId } from './generated/operations.js';
import { isObject } from './response.js';
import type { Outgoing } from './send.js';

/** An operation as the generated table has it. */
export type Operation = {
  readonly method: string;
  readonly path: string;
  /** Where the record is in the response. */
  readonly at: readonly string[];
  /** How the pages of a list follow each other. */
  readonly pages?: 'cursor' | 'number';
  readonly query?: readonly string[];
  readonly hasBody?: boolean;
  /** Path parameters that the body carries, too. */
  readonly repeatedInBody?: readonly string[];
  /** Takes an Idempotency-Key. */
  readonly isIdempotent?: boolean;
};

export type Input = Readonly<Record<string, unknown>>;

/** A call of a method: the operation, its path parameters, and what the caller gave. */
export type Call = {
  readonly id: OperationId;
  readonly operation: Operation;
  readonly params: readonly string[];
  readonly input: Input;
  readonly options: CallOptions;
};

/** Path parameters come first, then one object, then the options. */
export function callOf(id: OperationId, given: readonly unknown[]): Call {
  const operation: Operation = operations[id];
  const names = namesIn(operation);
  const params = names.map((name, index) => paramOf(id, name, given[index]));
  const takesInput = operation.hasBody === true || operation.query !== undefined;
  const [input, options] = takesInput ? given.slice(names.length) : [undefined, given[names.length]];
  return { id, operation, params, input: objectOf(id, 'input', input), options: objectOf(id, 'options', options) };
}

function namesIn({ path }: Operation): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
}

function paramOf(id: OperationId, name: string, value: unknown): string {
  // An empty one would call another route.
  if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..') return value;
  throw new TypeError(`${id}: ${name} must be a string that is not empty`);
}

function objectOf(id: OperationId, name: string, value: unknown): Input {
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw new TypeError(`${id}: ${name} must be an object`);
}

export function requestOf(settings: Settings, { operation, params, input, options }: Call): Outgoing {
  const { method, hasBody = false } = operation;
  const requestId = options.requestId ?? crypto.randomUUID();
  return {
    method,
    url: urlOf(settings, operation, params, input),
    headers: {
      ...headersOf(settings, options, requestId),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...(operation.isIdempotent === true ? { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() } : {}),
    },
    body: hasBody ? JSON.stringify(bodyOf(operation, params, input)) : undefined,
    requestId,
    timeoutMs: options.timeoutMs ?? settings.timeoutMs,
    signal: options.signal,
  };
}

export function headersOf(settings: Settings, options: CallOptions, requestId: string): Readonly<Record<string, string>> {
  const marketplaceId = options.marketplaceId ?? settings.marketplaceId;
  return {
    accept: 'application/json',
    'x-request-id': requestId,
    ...(settings.apiKey === undefined ? {} : { authorization: `Bearer ${settings.apiKey}` }),
    ...(marketplaceId === undefined ? {} : { 'x-marketplace-id': marketplaceId }),
  };
}

function urlOf({ baseUrl }: Settings, { path, query = [] }: Operation, params: readonly string[], input: Input): string {
  const rest = [...params];
  const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(rest.shift() ?? ''));
  const search = queryOf(Object.fromEntries(query.map((name) => [name, input[name]])));
  return `${baseUrl}${filled}${search}`;
}

/** Arrays repeat their name; undefined is left out. */
export function queryOf(values: Input): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    const several = (Array.isArray(value) ? value : [value]) as readonly (string | number | boolean | undefined)[];
    for (const one of several) if (one !== undefined) search.append(name, String(one));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

function bodyOf(operation: Operation, params: readonly string[], input: Input): Input {
  const { query = [], repeatedInBody = [] } = operation;
  const names = namesIn(operation);
  const repeated = repeatedInBody.map((name) => [name, params[names.indexOf(name)]] as const);
  const own = Object.entries(input).filter(([name]) => !query.includes(name));
  return Object.fromEntries([...own, ...repeated]);
}
