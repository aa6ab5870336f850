import { randomUUID } from 'node:crypto';
import type { Middleware } from './express-app.js';

const requestIdHeader = 'x-request-id';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The client's id if it is a UUID, else a new one. It correlates log lines and is not used for idempotency. */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && uuid.test(header) ? header : randomUUID();
}

/** Sets `res.locals.requestId` and the response header. */
export function requestId(): Middleware {
  return (request, response, next) => {
    response.locals.requestId = requestIdOf(request.headers[requestIdHeader]);
    response.setHeader('X-Request-ID', response.locals.requestId);
    next();
  };
}
