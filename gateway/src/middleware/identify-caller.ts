import type { Authentication } from '../authenticate.js';
import { clientAddressOf } from '../client-address.js';
import { credentialOf, type Credential } from '../credential.js';
import type { Identification } from '../identification.js';
import type { GatewayLocals, GatewayMiddleware } from '../locals.js';
import type { MemoryWindows } from '../memory-windows.js';
import { isHealthRequest } from '../own-responses.js';
import type { RateLimit } from '../rate-limit.js';

export type IdentifyDeps = {
  readonly authentication: Authentication;
  readonly rateLimit: RateLimit;
  /** Lookups of unknown credentials per address. Each replica counts its own, because the limit only protects identity. */
  readonly unknownCredentials: MemoryWindows;
  readonly trustedProxyHops: number;
};

const unverified: Identification = { kind: 'unverified' };

/** Sets `res.locals.address` and `res.locals.identification`. Later middleware decides whether to refuse the request. */
export function identifyCaller(deps: IdentifyDeps): GatewayMiddleware {
  return async (request, response, next) => {
    const { locals } = response;
    locals.address = clientAddressOf(request, deps.trustedProxyHops);
    const credential = isHealthRequest(request) ? undefined : credentialOf(request);
    locals.identification = credential === undefined ? unverified : await identify(deps, credential, locals);
    next();
  };
}

/** A cached credential is identified even if its address has exceeded the limit of unknown credentials. */
async function identify(deps: IdentifyDeps, credential: Credential, locals: GatewayLocals): Promise<Identification> {
  const { authentication, rateLimit, unknownCredentials } = deps;
  if (authentication.needsNoLookup(credential)) return lookUp(authentication, credential, locals);
  const window = unknownCredentials.increment(locals.address);
  if (rateLimit.isExceeded(window)) return { kind: 'too-many-unknown', window };
  const identification = await lookUp(authentication, credential, locals);
  if (identification.kind !== 'unverified') unknownCredentials.decrement(locals.address);
  return identification;
}

async function lookUp(
  authentication: Authentication,
  credential: Credential,
  { requestId }: GatewayLocals,
): Promise<Identification> {
  try {
    const caller = await authentication.identify(credential, requestId);
    return caller === undefined ? unverified : { kind: 'verified', caller };
  } catch (error) {
    return { kind: 'failed', error };
  }
}
