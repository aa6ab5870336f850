import type { IncomingMessage } from 'node:http';
import type { Caller } from '@holdfast/shared/context';
import type { Authentication } from '../authenticate.js';
import { clientAddressOf } from '../client-address.js';
import { credentialOf, type Credential } from '../credential.js';
import type { GatewayLocals, GatewayMiddleware } from '../locals.js';
import type { MemoryWindows, Taken } from '../memory-windows.js';
import { isHealthRequest } from '../own-responses.js';
import type { RateLimit } from '../rate-limit.js';

/** What is known about the credential of a request. */
export type Identification =
  | { readonly kind: 'verified'; readonly caller: Caller }
  /** There is none, or it is nobody's. */
  | { readonly kind: 'unverified' }
  /** The address has sent too many credentials that were nobody's. This one was not looked up. */
  | { readonly kind: 'too-many-guesses'; readonly window: Taken }
  | { readonly kind: 'failed'; readonly error: unknown };

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
  if (authentication.isFamiliar(credential)) return lookUp(authentication, credential, locals);
  const window = guesses.take(locals.address);
  if (rateLimit.isExceeded(window)) return { kind: 'too-many-guesses', window };
  const identification = await lookUp(authentication, credential, locals);
  if (identification.kind !== 'unverified') guesses.giveBack(locals.address);
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

/** Whether a credential came that is nobody's, as far as anybody looked. */
export function isCredentialRefused({ headers }: IncomingMessage, { kind }: Identification): boolean {
  const isRefused = kind === 'unverified' || kind === 'too-many-guesses';
  return isRefused && headers.authorization !== undefined;
}
