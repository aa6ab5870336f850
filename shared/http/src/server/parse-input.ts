import { z } from 'zod';
import type { RouteDeclaration, RouteFamily } from '@holdfast/contracts/http';
import { rawBody, toSnakeCase, type RawBody } from '@holdfast/contracts/shapes';
import { AppError, type ErrorCode } from '@holdfast/kernel/errors';
import { bounded, describeIssues, valueAt, type Wording } from './describe-issues.js';
import type { BoundRoute } from './bind-routes.js';
import { parseJsonBody, type JsonObject } from './parse-json.js';
import { applySpelling, spellingOf, writtenPath, type Spelling } from './spelling.js';

type Input = Parameters<BoundRoute['run']>[0];

/** An unparsed request. */
export type RawInput = {
  readonly params: Readonly<Record<string, string>>;
  /** The query without the question mark. */
  readonly query: string;
  readonly body: Buffer;
  readonly contentType: string | undefined;
  readonly headers: RawBody['headers'];
};

/**
 * Prepares the parser of a route once. The parser checks body and query first and the path last: a malformed id in the path is the
 * resource's 404, and validation errors come before it.
 */
export function inputParser(declaration: RouteDeclaration): (raw: RawInput) => Input {
  const parseBody = bodyParser(declaration);
  const parseQuery = queryParser(declaration);
  const isStream = declaration.success.form === 'event-stream';
  return (raw) => {
    const body = parseBody(raw);
    const query = parseQuery(raw.query);
    const params = declaration.params.safeParse(raw.params);
    if (!params.success) throw new AppError(declaration.malformedParams);
    const input = { params: params.data, query, body };
    return isStream ? { ...input, headers: raw.headers } : input;
  };
}

/** A route that declares its body as `z.unknown()` ignores the body, even a malformed one. */
function bodyParser({ body: schema, refusals = {}, family }: RouteDeclaration): (raw: RawInput) => unknown {
  if (schema instanceof z.ZodUnknown) return () => undefined;
  if (schema === rawBody) return ({ body: bytes, headers }): RawBody => ({ bytes, headers });
  const spelling = spellingOf(schema);
  return ({ body, contentType }) => {
    const spellingFaults: string[] = [];
    const written = parseJsonBody(body, contentType);
    const given = applySpelling(spelling, written, spellingFaults);
    const parsed = schema.safeParse(given);
    if (parsed.success && spellingFaults.length === 0) return parsed.data;
    const issues = parsed.error?.issues ?? [];
    const wording = wordingOf({ subject: 'the body', family, spelling, written });
    const validationErrors = bounded([...spellingFaults, ...describeIssues(issues, given, wording)]);
    const code = spellingFaults.length === 0 ? refusalOf(issues, given, refusals) : 'VALIDATION_ERROR';
    throw new AppError(code, { validationErrors });
  };
}

/**
 * The error code that the route declares for a field, if malformed strings in such fields are the only faults. A value that is
 * missing, null or not a string is a VALIDATION_ERROR.
 */
function refusalOf(
  issues: readonly z.core.$ZodIssue[],
  given: unknown,
  refusals: Readonly<Record<string, ErrorCode>>,
): ErrorCode {
  const codes = issues.map((issue) => {
    if (issue.code === 'invalid_type' || typeof valueAt(given, issue.path) !== 'string') return undefined;
    return refusals[issue.path.join('.')];
  });
  const [first] = codes;
  return first !== undefined && !codes.includes(undefined) ? first : 'VALIDATION_ERROR';
}

type Written = { readonly family: RouteFamily; readonly spelling: Spelling; readonly written: unknown };

function wordingOf({ subject, family, spelling, written }: Written & Pick<Wording, 'subject'>): Wording {
  const saysRequired = family === 'account';
  const documented = saysRequired ? toSnakeCase : (field: string): string => field;
  return { subject, saysRequired, nameFields: (path) => writtenPath({ spelling, documented }, written, path) };
}

function queryParser({ query: schema, family }: RouteDeclaration): (query: string) => unknown {
  const spelling = spellingOf(schema);
  const lists = listFieldsOf(schema);
  return (query) => {
    const faults: string[] = [];
    const written = query === '' ? {} : collectQuery(query, lists, faults);
    const given = query === '' ? written : applySpelling(spelling, written, faults);
    const parsed = schema.safeParse(given);
    if (parsed.success && faults.length === 0) return parsed.data;
    const issues = parsed.error?.issues ?? [];
    throw new AppError('VALIDATION_ERROR', {
      validationErrors: bounded([
        ...faults,
        ...describeIssues(issues, given, wordingOf({ subject: 'the query', family, spelling, written })),
      ]),
    });
  };
}

/** Only parameters that are declared as a list may be repeated. */
function collectQuery(query: string, lists: ReadonlySet<string>, faults: string[]): JsonObject {
  const given = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const earlier = given.get(name);
    if (Array.isArray(earlier)) earlier.push(value);
    else if (earlier !== undefined) faults.push(`${name} is given more than once`);
    else given.set(name, lists.has(name) ? [value] : value);
  }
  return Object.fromEntries(given);
}

function listFieldsOf(schema: z.ZodType): ReadonlySet<string> {
  const fields = schema instanceof z.ZodObject ? Object.entries<unknown>(schema.shape) : [];
  const isList = (field: unknown): boolean => field instanceof z.ZodOptional && field.unwrap() instanceof z.ZodArray;
  return new Set(fields.filter(([, field]) => isList(field)).map(([name]) => name));
}
