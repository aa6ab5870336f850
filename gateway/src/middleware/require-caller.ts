import { tokenNeeded, type RouteDeclaration } from '@holdfast/contracts/http';
import type { Caller } from '@holdfast/kernel/context';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import { anonymous } from '../authenticate.js';
import { isCredentialRefused, unauthorized, type Identification, type RefusalReason } from '../identification.js';
import type { GatewayMiddleware } from '../locals.js';
import type { GatewayMeasurement } from '../metrics.js';
import type { RefusedCredentials } from '../refused-credentials.js';

export type RequireCallerDeps = {
  readonly refusedCredentials: Pick<RefusedCredentials, 'record'>;
  readonly measurement: Pick<GatewayMeasurement, 'credentialRefused'>;
};

/**
 * Sets `res.locals.caller`: `anonymous` on public routes, else the verified caller. 401 UNAUTHORIZED without one. The token of an
 * account opens the routes for people and no others, and these take nothing else.
 */
export function requireCaller({ refusedCredentials, measurement }: RequireCallerDeps): GatewayMiddleware {
  return (_request, response, next) => {
    const { route, identification, address } = response.locals;
    const isPublic = route.auth === 'public';
    if (!isPublic && isCredentialRefused(identification)) refusedCredentials.record(address);
    response.locals.caller = isPublic
      ? anonymous
      : countRefusal(() => callerOf(identification, route), identification, measurement);
    next();
  };
}

function countRefusal(
  caller: () => Caller,
  identification: Identification,
  { credentialRefused }: RequireCallerDeps['measurement'],
): Caller {
  try {
    return caller();
  } catch (error) {
    const isMissing = identification.kind === 'refused' && identification.reason === 'missing';
    if (isAppError(error, 'UNAUTHORIZED')) credentialRefused(isMissing ? 'missing' : 'invalid');
    throw error;
  }
}

function callerOf(identification: Identification, route: RouteDeclaration): Caller {
  if (identification.kind === 'failed') throw identification.error;
  if (identification.kind === 'refused') throw refusalOf(identification.reason, route);
  const { caller } = identification;
  if ((caller.type === 'account') !== (route.auth === 'account')) throw refusalOf('unknown', route);
  return caller;
}

function refusalOf(reason: RefusalReason, { auth }: RouteDeclaration): AppError {
  if (auth !== 'account') return unauthorized(reason);
  const message = reason === 'expired' ? 'The token has expired: log in again.' : tokenNeeded;
  return new AppError('UNAUTHORIZED', {}, { message });
}
