import type { RouteDeclaration } from '@holdfast/contracts/http';
import type { GatewayLocals, GatewayMiddleware } from '../locals.js';
import type { RateLimit } from '../rate-limit.js';

export type LimitRouteDeps = {
  /** The limit of its own that a route has, if any. */
  readonly limitOfRoute: (route: RouteDeclaration) => RateLimit | undefined;
};

/** What a single route allows, beside the limit of all requests. Where it refuses, the headers tell of that limit. */
export function limitRoute({ limitOfRoute }: LimitRouteDeps): GatewayMiddleware {
  return async (_request, response, next) => {
    const { locals } = response;
    const limit = limitOfRoute(locals.route);
    const taken = await limit?.count(countedAs(locals));
    if (limit?.isExceeded(taken) === true) {
      response.set(limit.headersOf(taken));
      throw limit.refusalOf(taken);
    }
    next();
  };
}

function countedAs({ route, caller, address }: GatewayLocals): string {
  const who = route.auth === 'public' ? `address ${address}` : `key ${caller.id}`;
  return `${route.method} ${route.path} ${who}`;
}
