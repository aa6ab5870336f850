import type { GatewayLocals, GatewayMiddleware } from '../locals.js';
import type { GatewayMeasurement } from '../metrics.js';
import type { RateLimit } from '../rate-limit.js';

export type LimitRouteDeps = { readonly measurement: Pick<GatewayMeasurement, 'rateLimited'> };

/** Applies the route's own limit, in addition to the general one. If it refuses, the X-RateLimit headers describe that limit. */
export function limitRoute(limit: RateLimit, { measurement }: LimitRouteDeps): GatewayMiddleware {
  return async (_request, response, next) => {
    const { locals } = response;
    const window = await limit.count(windowKeyOf(locals));
    if (limit.isExceeded(window)) {
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
