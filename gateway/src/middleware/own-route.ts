import { send, type PreparedResponse } from '@holdfast/http/server';
import type { GatewayMiddleware } from '../locals.js';

/** Serves a route whose service is the gateway. */
export function ownRoute(respond: (requestId: string) => PreparedResponse): GatewayMiddleware {
  return (_request, response) => send(response, respond(response.locals.requestId));
}
