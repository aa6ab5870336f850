import type { Router } from 'express';
import type { RouteDeclaration } from '@holdfast/contracts/http';
import { declaredRoutes, type Middleware } from '@holdfast/http/server';
import type { GatewayMiddleware } from '../locals.js';

/** Sets `res.locals.isCountedByService`. It comes before the rate limit, and the route is matched after that. */
export function findCountedByService(routes: readonly RouteDeclaration[]): Router {
  const counted = routes.filter(({ isCountedByService }) => isCountedByService === true);
  return declaredRoutes(
    counted.map((declaration) => ({ declaration, handler: setCountedByService })),
    () => pass,
  );
}

const setCountedByService: GatewayMiddleware = (_request, response, next) => {
  response.locals.isCountedByService = true;
  next('router');
};

const pass: Middleware = (_request, _response, next) => next('router');
