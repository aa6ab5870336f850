import type { Answer, ServedRequest } from '@holdfast/shared/http-server';

export type CrossOrigin = {
  /** Names and values in turn. */
  readonly headersOf: (request: ServedRequest) => readonly string[];
  /** The answer to a browser that asks whether it may ask, or undefined where it is none or may not. */
  readonly preflight: (request: ServedRequest, allowedMethods: readonly string[]) => Answer | undefined;
};

const readable = [
  'X-Request-ID', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'Idempotency-Replay',
  'X-Idempotency-Key',
].join(', '); // prettier-ignore
const sendable = 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Marketplace-ID, X-Request-ID';
const preflightSeconds = '600';

/** Browsers of other origins are let in only where an operator names their origin, letter by letter. */
export function createCrossOrigin(origins: readonly string[]): CrossOrigin {
  const allowed = new Set(origins);
  const isAllowed = (origin: string | undefined): origin is string => origin !== undefined && allowed.has(origin);
  const headersOf = ({ headers: { origin } }: ServedRequest): readonly string[] => {
    if (allowed.size === 0) return [];
    if (!isAllowed(origin)) return ['Vary', 'Origin'];
    return ['Vary', 'Origin', 'Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', readable];
  };
  return {
    headersOf,
    preflight: (request, allowedMethods) => {
      const { origin, 'access-control-request-method': wanted } = request.headers;
      if (request.method !== 'OPTIONS' || wanted === undefined || !isAllowed(origin)) return undefined;
      const headers = [
        ...['Access-Control-Allow-Methods', allowedMethods.join(', ')],
        ...['Access-Control-Allow-Headers', sendable],
        ...['Access-Control-Max-Age', preflightSeconds],
      ];
      return { status: 204, text: '', headers };
    },
  };
}
