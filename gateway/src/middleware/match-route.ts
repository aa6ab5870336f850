import type { Router } from 'express';
import type { RouteDeclaration } from '@holdfast/contracts/http';
import { declaredRoutes, methodNotAllowed, refuseUnknownPath, type Middleware } from '@holdfast/http/server';
import { isOriginAllowed } from '../cors-options.js';
import type { GatewayMiddleware } from '../locals.js';

/** Sets `res.locals.route` and passes the request through the steps of its route. Internal and undeclared routes get 404. */
export function matchRoute(
  routes: readonly RouteDeclaration[],
  stepsOf: (route: RouteDeclaration) => readonly GatewayMiddleware[],
): Router {
  const reachable = routes.filter(({ isInternal }) => isInternal !== true);
  const router = declaredRoutes(
    reachable.map((declaration) => ({ declaration, handler: [setRoute(declaration), ...stepsOf(declaration)] })),
    handleOtherMethod,
  );
  return router.use(refuseUnknownPath);
}

function setRoute(declaration: RouteDeclaration): GatewayMiddleware {
  return (_request, response, next) => {
    response.locals.route = declaration;
    next();
  };
}

/** A preflight request from an allowed origin gets the methods of its path; any other request gets 405. */
function handleOtherMethod(allowedMethods: readonly string[]): Middleware {
  return (request, response) => {
    const isPreflight = request.method === 'OPTIONS' && request.get('Access-Control-Request-Method') !== undefined;
    if (!isPreflight || !isOriginAllowed(response)) throw methodNotAllowed(allowedMethods);
    response.set('Access-Control-Allow-Methods', allowedMethods.join(', ')).status(204).end();
  };
}
