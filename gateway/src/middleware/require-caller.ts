import type { Caller } from '@holdfast/kernel/context';
import { anonymous } from '../authenticate.js';
import { isCredentialRefused, unauthorized, type Identification } from '../identification.js';
import type { GatewayMiddleware } from '../locals.js';
import type { RefusedCredentials } from '../refused-credentials.js';

export type RequireCallerDeps = { readonly refusedCredentials: Pick<RefusedCredentials, 'record'> };

/** Sets `res.locals.caller`: `anonymous` on public routes, else the verified caller. 401 UNAUTHORIZED without one. */
export function requireCaller({ refusedCredentials }: RequireCallerDeps): GatewayMiddleware {
  return (_request, response, next) => {
    const { route, identification, address } = response.locals;
    const isPublic = route.auth === 'public';
    if (!isPublic && isCredentialRefused(identification)) refusedCredentials.record(address);
    response.locals.caller = isPublic ? anonymous : callerOf(identification);
    next();
  };
}

function callerOf(identification: Identification): Caller {
  if (identification.kind === 'verified') return identification.caller;
  throw identification.kind === 'failed' ? identification.error : unauthorized(identification.reason);
}
