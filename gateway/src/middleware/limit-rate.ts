import { isCredentialRefused } from '../identification.js';
import type { GatewayLocals, GatewayMiddleware } from '../locals.js';
import { isHealthRequest } from '../own-responses.js';
import type { GatewayMeasurement } from '../metrics.js';
import type { RateLimit } from '../rate-limit.js';
import type { RefusalLog } from '../refusal-log.js';
import type { RefusedCredentials } from '../refused-credentials.js';

export type LimitRateDeps = {
  readonly rateLimit: RateLimit;
  readonly refusedCredentials: Pick<RefusedCredentials, 'record'>;
  readonly refusalLog: Pick<RefusalLog, 'record'>;
  readonly measurement: Pick<GatewayMeasurement, 'rateLimited'>;
};

/** Requests with a verified credential are counted per key, all others per address. Health routes are not counted. */
export function limitRate({ rateLimit, refusedCredentials, refusalLog, measurement }: LimitRateDeps): GatewayMiddleware {
  return async (request, response, next) => {
    const { locals } = response;
    const client = clientOf(locals);
    const isCounted = !isHealthRequest(request);
    const window = isCounted ? await rateLimit.count(client) : rateLimit.get(client);
    response.set(rateLimit.headersOf(window));
    if (isCounted && rateLimit.isExceeded(window)) {
      if (isCredentialRefused(locals.identification)) refusedCredentials.record(locals.address);
      locals.isUnlogged = !refusalLog.record(client);
      measurement.rateLimited(locals.identification.kind === 'verified' ? 'key' : 'address');
      throw rateLimit.errorOf(window);
    }
    next();
  };
}

function clientOf({ identification, address }: GatewayLocals): string {
  return identification.kind === 'verified' ? `key ${identification.caller.id}` : `address ${address}`;
}
