import type { Authentication } from '../authenticate.js';
import { clientAddressOf } from '../client-address.js';
import { credentialOf, type Credential } from '../credential.js';
import type { Identification } from '../identification.js';
import type { GatewayLocals, GatewayMiddleware } from '../locals.js';
import type { MemoryWindows } from '../memory-windows.js';
import { isHealthRequest } from '../own-responses.js';
import type { ProxyWarning } from '../proxy-warning.js';
import type { RequestSlots } from '../request-slots.js';

export type IdentifyDeps = {
  readonly authentication: Authentication;
  /** Unknown credentials per address. Each replica counts its own, because the count only protects identity. */
  readonly unknownCredentials: MemoryWindows;
  /** Limits the concurrent lookups for addresses that have sent many unknown credentials. */
  readonly suspectLookups: RequestSlots;
  readonly trustedProxyHops: number;
  readonly proxyWarning: Pick<ProxyWarning, 'notice'>;
};

/** Unknown credentials of an address in a window after which its lookups share the limited slots. */
const unknownCredentialsMax = 100;

const missing: Identification = { kind: 'refused', reason: 'missing' };
const malformed: Identification = { kind: 'refused', reason: 'malformed' };

/** Sets `res.locals.address`, `identification` and, if verified, `caller`. Later middleware decides whether to refuse the request. */
export function identifyCaller(deps: IdentifyDeps): GatewayMiddleware {
  return async (request, response, next) => {
    const { locals } = response;
    deps.proxyWarning.notice(request.headers);
    locals.address = clientAddressOf(request, deps.trustedProxyHops);
    const hasCredential = !isHealthRequest(request) && (request.headers.authorization ?? '') !== '';
    locals.identification = hasCredential ? await identify(deps, credentialOf(request), locals) : missing;
    if (locals.identification.kind === 'verified') locals.caller = locals.identification.caller;
    next();
  };
}

/**
 * Every well-formed credential is verified, because a verified one is never refused because of its address. An address that has
 * sent many unknown ones waits for one of a few slots, so that guessing keys cannot load identity without limit.
 */
async function identify(deps: IdentifyDeps, credential: Credential | undefined, locals: GatewayLocals): Promise<Identification> {
  if (credential === undefined) return malformed;
  const { authentication, unknownCredentials, suspectLookups } = deps;
  const lookUp = (): Promise<Identification> => verify(authentication, credential, locals);
  if (authentication.needsNoLookup(credential)) return lookUp();
  const { used } = unknownCredentials.increment(locals.address);
  const identification = await (used > unknownCredentialsMax ? suspectLookups.run(lookUp).catch(failed) : lookUp());
  if (identification.kind !== 'refused') unknownCredentials.decrement(locals.address);
  return identification;
}

async function verify(
  authentication: Authentication,
  credential: Credential,
  { requestId }: GatewayLocals,
): Promise<Identification> {
  try {
    const result = await authentication.identify(credential, requestId);
    return 'caller' in result ? { kind: 'verified', caller: result.caller } : { kind: 'refused', reason: result.refused };
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): Identification {
  return { kind: 'failed', error };
}
