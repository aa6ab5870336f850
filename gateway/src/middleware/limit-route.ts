import type { RouteDeclaration } from '@holdfast/contracts/http';
import type { GatewayLocals, GatewayMiddleware } from '../locals.js';
import type { GatewayMeasurement } from '../metrics.js';
import type { RateLimit } from '../rate-limit.js';

export type LimitRouteDeps = {
  /** The entry of RATE_LIMIT_ROUTES for the route, if any. */
  readonly limitOfRoute: (route: RouteDeclaration) => RateLimit | undefined;
  readonly measurement: Pick<GatewayMeasurement, 'rateLimited'>;
};

/** Applies the route's own limit, in addition to the general one. If it refuses, the X-RateLimit headers describe that limit. */
export function limitRoute({ limitOfRoute, measurement }: LimitRouteDeps): GatewayMiddleware {
  return async (_request, response, next) => {
    const { locals } = response;
    const limit = limitOfRoute(locals.route);
    const window = await limit?.count(windowKeyOf(locals));
    if (limit?.isExceeded(window) === true) {
      response.set(limit.headersOf(window));
      measurement.rateLimited('route');
      throw limit.errorOf(window);
    }
    next();
  };
}

function windowKeyOf({ route, caller, address }: GatewayLocals): string {
  const client = route.auth === 'public' ? `address ${address}` : `key ${caller.id}`;
  return `${route.method} ${route.path} ${client}`;
}
