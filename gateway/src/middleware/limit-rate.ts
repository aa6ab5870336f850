import { isCredentialRefused } from '../identification.js';
import type { GatewayLocals, GatewayMiddleware } from '../locals.js';
import type { WindowCount } from '../memory-windows.js';
import { isHealthRequest } from '../own-responses.js';
import type { RateLimit } from '../rate-limit.js';
import type { RefusedCredentials } from '../refused-credentials.js';

export type LimitRateDeps = {
  readonly rateLimit: RateLimit;
  readonly refusedCredentials: Pick<RefusedCredentials, 'record'>;
};

/** Requests with a verified credential are counted per key, all others per address. Health routes are not counted. */
export function limitRate({ rateLimit, refusedCredentials }: LimitRateDeps): GatewayMiddleware {
  return async (request, response, next) => {
    const { locals } = response;
    const isCounted = !isHealthRequest(request);
    const window = isCounted ? await countRequest(rateLimit, locals) : rateLimit.get(windowKeyOf(locals));
    response.set(rateLimit.headersOf(window));
    if (isCounted && rateLimit.isExceeded(window)) {
      if (isCredentialRefused(request, locals.identification)) refusedCredentials.record(locals.address);
      throw rateLimit.errorOf(window);
    }
    next();
  };
}

/** identifyCaller has already counted a request with too many unknown credentials. */
function countRequest(rateLimit: RateLimit, locals: GatewayLocals): Promise<WindowCount | undefined> {
  const { identification } = locals;
  if (identification.kind === 'too-many-unknown') return Promise.resolve(identification.window);
  return rateLimit.count(windowKeyOf(locals));
}

function windowKeyOf({ identification, address }: GatewayLocals): string {
  return identification.kind === 'verified' ? `key ${identification.caller.id}` : `address ${address}`;
}
