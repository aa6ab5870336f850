import { send } from '@holdfast/http/server';
import type { GatewayMiddleware } from '../locals.js';
import type { OwnResponses } from '../own-responses.js';

/** Serves the routes whose service is the gateway. */
export function ownRoutes(ownResponses: OwnResponses): GatewayMiddleware {
  return (_request, response, next) => {
    const { route, requestId } = response.locals;
    const respond = ownResponses.get(route);
    if (respond === undefined) next();
    else send(response, respond(requestId));
  };
}
