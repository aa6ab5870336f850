import type { IncomingMessage } from 'node:http';
import type { Semaphore } from '@holdfast/kernel/async';
import { credentialOf, type Authentication, type Credential } from '../authenticate.js';
import { clientAddressOf } from '../client-address.js';
import type { Identification } from '../identification.js';
import type { GatewayLocals, GatewayMiddleware } from '../locals.js';
import type { MemoryWindows } from '../memory-windows.js';
import type { ProxyWarning } from '../proxy-warning.js';

export type IdentifyDeps = {
  readonly authentication: Authentication;
  /** Unknown credentials per address. Each replica counts its own, because the count only protects identity. */
  readonly unknownCredentials: MemoryWindows;
  /** Limits the concurrent lookups for addresses that have sent many unknown credentials. */
  readonly suspectLookups: Semaphore;
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
    if (request.headers['x-forwarded-for'] !== undefined) deps.proxyWarning.notice();
    locals.address = clientAddressOf(request, deps.trustedProxyHops);
    const hasCredential = locals.isHealthRequest !== true && (request.headers.authorization ?? '') !== '';
    locals.identification = hasCredential ? await identify(deps, bearerOf(request), locals) : missing;
    if (locals.identification.kind === 'verified') locals.caller = locals.identification.caller;
    next();
  };
}

const bearerForm = /^Bearer ([!-~]{1,2048})$/i;

/**
 * The text of the credential, or undefined without a readable one. Two Authorization headers count as none: a proxy in front might
 * read the one and the gateway the other.
 */
function bearerOf({ rawHeaders, headers }: IncomingMessage): string | undefined {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'authorization').length !== 1) return undefined;
  return bearerForm.exec(headers.authorization ?? '')?.[1];
}

/**
 * Every well-formed credential is verified, because a verified one is never refused because of its address. An address that has
 * sent many unknown ones waits for one of a few slots, so that guessing keys cannot load identity without limit.
 */
async function identify(deps: IdentifyDeps, bearer: string | undefined, locals: GatewayLocals): Promise<Identification> {
  if (bearer === undefined) return malformed;
  const credential = credentialOf(bearer);
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
