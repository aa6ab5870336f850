import type { ErrorRequestHandler } from 'express';
import type { GatewayLocals } from '../locals.js';
import { clientOf, refusalOf, type LimitRateDeps } from './limit-rate.js';

type ErrorHandler = ErrorRequestHandler<Record<string, string>, unknown, unknown, unknown, GatewayLocals>;

/** A webhook that the gateway refuses itself, such as one that is too large, counts for its address: no service verifies it. */
export function countRefusedWebhook(deps: LimitRateDeps): ErrorHandler {
  const { rateLimit } = deps;
  // Express recognises an error handler by its four parameters.
  return async (error: unknown, _request, response, next) => {
    const { locals } = response;
    if (locals.isCountedByService !== true || locals.isWebhookForwarded === true) {
      next(error);
      return;
    }
    const window = await rateLimit.count(clientOf(locals));
    response.set(rateLimit.headersOf(window));
    next(rateLimit.isExceeded(window) ? refusalOf(deps, locals, window) : error);
  };
}
