import type { Router } from 'express';
import { fullPathOf, type RouteDeclaration } from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import { createRouter, type Middleware, type RequestLocals } from './express-app.js';

type RouteHandler<Locals extends RequestLocals> = {
  readonly declaration: RouteDeclaration;
  readonly handler: Middleware<Locals> | readonly Middleware<Locals>[];
};

/** Handles requests to a declared path with an undeclared method. */
type OtherMethodHandler = (allowedMethods: readonly string[]) => Middleware;

/** A router for declared routes. An undeclared method on a declared path is 405; unknown paths pass to the next middleware. */
export function declaredRoutes<Locals extends RequestLocals>(
  routes: readonly RouteHandler<Locals>[],
  handleOtherMethod: OtherMethodHandler = refuseMethod,
): Router {
  const router = createRouter();
  for (const { path, handlers } of groupByPath(routes)) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const { declaration, handler } of handlers) route[declaration.method](...[handler].flat());
    route.all(handleOtherMethod(handlers.flatMap(({ declaration }) => methodsOf(declaration))));
  }
  return router;
}

function refuseMethod(allowedMethods: readonly string[]): Middleware {
  return () => {
    throw methodNotAllowed(allowedMethods);
  };
}

export function methodNotAllowed(allowedMethods: readonly string[]): AppError {
  return new AppError('METHOD_NOT_ALLOWED', { allowedMethods });
}

/** Express serves HEAD wherever GET is declared. */
function methodsOf({ method }: RouteDeclaration): readonly string[] {
  return method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
}

type PathGroup<Locals extends RequestLocals> = { readonly path: string; readonly handlers: RouteHandler<Locals>[] };

/**
 * Sorted, because Express takes the first path that matches: `{` sorts after all letters, so a fixed segment comes before a
 * placeholder, and `/orders/export` does not match `/orders/{id}`.
 */
function groupByPath<Locals extends RequestLocals>(routes: readonly RouteHandler<Locals>[]): readonly PathGroup<Locals>[] {
  const groups = new Map<string, PathGroup<Locals>>();
  for (const route of routes) {
    const { method } = route.declaration;
    const path = fullPathOf(route.declaration);
    const shape = path.replaceAll(/\{\w+\}/g, '{}');
    const group = groups.get(shape) ?? { path, handlers: [] };
    if (group.path !== path || group.handlers.some(({ declaration }) => declaration.method === method))
      throw new Error(`two routes are declared for ${method.toUpperCase()} ${path}`);
    group.handlers.push(route);
    groups.set(shape, group);
  }
  return [...groups.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}
