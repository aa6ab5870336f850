import type { ErrorCode } from './generated/resources.js';
import { HoldfastError } from './holdfast-error.js';

export type Reply = { readonly status: number; readonly headers: Headers; readonly text: string };

/** The parsed body of a success; a refusal is thrown. */
export function bodyOf(reply: Reply, requestId: string): unknown {
  const body = parse(reply.text);
  const id = reply.headers.get('x-request-id') ?? requestId;
  if (reply.status >= 200 && reply.status < 300 && body !== undefined) return body;
  throw refusalOf(body, reply, id);
}

/** What is at these keys of the body. */
export function partOf(body: unknown, at: readonly string[], requestId: string): unknown {
  let part = body;
  for (const key of at) part = isObject(part) ? part[key] : undefined;
  if (part !== undefined) return part;
  const details = { missing: at.join('.') };
  throw new HoldfastError('The response has another form than expected.', {
    code: 'INVALID_RESPONSE',
    status: 200,
    details,
    requestId,
  });
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusalOf(body: unknown, { status, headers, text }: Reply, requestId: string): HoldfastError {
  const retryAfter = headers.get('retry-after');
  const waits = retryAfter === null ? {} : { retryAfter: Number(retryAfter) };
  if (isObject(body) && isObject(body['error']) && typeof body['error']['code'] === 'string') {
    const { code, message, details } = body['error'];
    const known = isObject(details) ? details : {};
    return new HoldfastError(String(message), { code: code as ErrorCode, status, details: { ...waits, ...known }, requestId });
  }
  if (isObject(body) && body['type'] === 'error' && typeof body['message'] === 'string') {
    const errors = Array.isArray(body['errors']) ? { validationErrors: body['errors'] } : {};
    return new HoldfastError(body['message'], { code: accountCode(status), status, details: { ...waits, ...errors }, requestId });
  }
  const details = { ...waits, body: text.slice(0, 500) };
  return new HoldfastError(`Unexpected response with status ${status}.`, {
    code: gatewayCode(status),
    status,
    details,
    requestId,
  });
}

const accountCodes: Readonly<Record<number, ErrorCode>> = {
  401: 'UNAUTHORIZED',
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'VALIDATION_ERROR',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
  504: 'PROVIDER_TIMEOUT',
};

/** The account API has statuses and messages, no codes. */
function accountCode(status: number): ErrorCode | 'REQUEST_REFUSED' {
  return accountCodes[status] ?? 'REQUEST_REFUSED';
}

/** A proxy before the platform responds in its own form. */
function gatewayCode(status: number): ErrorCode | 'INVALID_RESPONSE' {
  if (status === 429) return 'RATE_LIMITED';
  if (status === 502 || status === 503) return 'SERVICE_UNAVAILABLE';
  return status === 504 ? 'PROVIDER_TIMEOUT' : 'INVALID_RESPONSE';
}
