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
  /** Credentials that are not known yet, by address. Counted by each replica for itself: it only spares identity. */
  readonly guesses: MemoryWindows;
  readonly trustedProxyHops: number;
};

const unverified: Identification = { kind: 'unverified' };

/** Sets `res.locals.address` and `res.locals.identification`; what follows from it is decided later. */
export function identifyCaller(deps: IdentifyDeps): GatewayMiddleware {
  return async (request, response, next) => {
    const { locals } = response;
    locals.address = clientAddressOf(request, deps.trustedProxyHops);
    const credential = isHealthRequest(request) ? undefined : credentialOf(request);
    locals.identification = credential === undefined ? unverified : await identify(deps, credential, locals);
    next();
  };
}

/** Callers who were known a short while ago are never refused because of what strangers send from their address. */
async function identify(deps: IdentifyDeps, credential: Credential, locals: GatewayLocals): Promise<Identification> {
  const { authentication, rateLimit, guesses } = deps;
  if (authentication.needsNoLookup(credential)) return lookUp(authentication, credential, locals);
  const window = guesses.increment(locals.address);
  if (rateLimit.isExceeded(window)) return { kind: 'too-many-guesses', window };
  const identification = await lookUp(authentication, credential, locals);
  if (identification.kind !== 'unverified') guesses.decrement(locals.address);
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
