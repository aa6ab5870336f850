import type { ServerResponse } from 'node:http';
import type { CorsOptions } from 'cors';

const preflightSeconds = 600;

/**
 * Origins must match exactly. A preflight request passes on through the middleware: the rate limit counts it, and `matchRoute`
 * responds with the methods of the path.
 */
export function corsOptions(origins: readonly string[]): CorsOptions {
  return {
    origin: origins.length === 0 ? false : [...origins],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID', 'X-Marketplace-ID', 'X-Request-ID'],
    exposedHeaders: [
      'X-Request-ID', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'Idempotency-Replay',
      'X-Idempotency-Key',
    ],
    maxAge: preflightSeconds,
    preflightContinue: true,
  }; // prettier-ignore
}

/** The cors middleware sets this header for an allowed origin only. */
export function isOriginAllowed(response: ServerResponse): boolean {
  return response.hasHeader('Access-Control-Allow-Origin');
}
