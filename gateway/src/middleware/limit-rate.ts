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

/** A verified credential counts for its key, everything else for its address. Health routes are not counted. */
export function limitRate({ rateLimit, refusedCredentials }: LimitRateDeps): GatewayMiddleware {
  return async (request, response, next) => {
    const { locals } = response;
    const isCounted = !isHealthRequest(request);
    const taken = isCounted ? await countRequest(rateLimit, locals) : rateLimit.get(countedAs(locals));
    response.set(rateLimit.headersOf(taken));
    if (isCounted && rateLimit.isExceeded(taken)) {
      if (isCredentialRefused(request, locals.identification)) refusedCredentials.record(locals.address);
      throw rateLimit.refusalOf(taken);
    }
    next();
  };
}

/** What guesses a credential too often has been counted by then. */
function countRequest(rateLimit: RateLimit, locals: GatewayLocals): Promise<WindowCount | undefined> {
  const { identification } = locals;
  if (identification.kind === 'too-many-guesses') return Promise.resolve(identification.window);
  return rateLimit.count(countedAs(locals));
}

function countedAs({ identification, address }: GatewayLocals): string {
  return identification.kind === 'verified' ? `key ${identification.caller.id}` : `address ${address}`;
}
