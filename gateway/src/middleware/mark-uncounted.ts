import type { Router } from 'express';
import { getDetailedHealth, getHealth, type RouteDeclaration } from '@holdfast/contracts/http';
import { declaredRoutes, type Middleware } from '@holdfast/http/server';
import type { GatewayLocals } from '../locals.js';

/**
 * Marks the requests that the rate limit does not count: health requests, whose credentials are not looked up either, and webhooks,
 * which count later. It comes before both, and the route is matched after them.
 */
export function markUncounted(routes: readonly RouteDeclaration[]): readonly Router[] {
  const webhooks = routes.filter(({ isCountedByService }) => isCountedByService === true);
  return [
    markRoutes(webhooks, { isCountedByService: true }, () => pass),
    // Whatever their method is.
    markRoutes([getHealth, getDetailedHealth], { isHealthRequest: true }, () => mark({ isHealthRequest: true })),
  ];
}

type Marks = Pick<GatewayLocals, 'isCountedByService' | 'isHealthRequest'>;

function markRoutes(routes: readonly RouteDeclaration[], marks: Marks, handleOtherMethod: () => Middleware): Router {
  return declaredRoutes(
    routes.map((declaration) => ({ declaration, handler: mark(marks) })),
    handleOtherMethod,
  );
}

function mark(marks: Marks): Middleware {
  return (_request, response, next) => {
    Object.assign(response.locals, marks);
    next('router');
  };
}

const pass: Middleware = (_request, _response, next) => next('router');
