import { tokenNeeded, type RouteDeclaration } from '@holdfast/contracts/http';
import type { Caller } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { actForMarketplace, type MarketplaceDeps } from '../act-for-marketplace.js';
import { anonymous } from '../authenticate.js';
import { isCredentialRefused, unauthorized, type Identification, type RefusalReason } from '../identification.js';
import type { GatewayLocals, GatewayMiddleware } from '../locals.js';
import type { GatewayMeasurement } from '../metrics.js';
import type { RefusedCredentials } from '../refused-credentials.js';

export type AuthorizeDeps = MarketplaceDeps & {
  readonly refusedCredentials: Pick<RefusedCredentials, 'record'>;
  readonly measurement: Pick<GatewayMeasurement, 'credentialRefused'>;
};

/**
 * Sets `res.locals.caller`: `anonymous` on public routes, else the verified caller, who acts for the marketplace in X-Marketplace-ID.
 * 401 UNAUTHORIZED without one, 403 INSUFFICIENT_SCOPE without the scope that the route declares.
 */
export function authorizeCaller(deps: AuthorizeDeps): GatewayMiddleware {
  return async (request, response, next) => {
    const { locals } = response;
    const { route, requestId } = locals;
    locals.caller = route.auth === 'public' ? anonymous : requireCaller(deps, locals);
    const marketplaceId = request.get('X-Marketplace-ID');
    if (marketplaceId !== undefined && route.auth !== 'public')
      locals.caller = await actForMarketplace(deps, locals.caller, { id: marketplaceId, requestId });
    requireScope(deps, locals);
    next();
  };
}

/** The token of an account opens the routes for people and no others, and these take nothing else. */
function requireCaller(deps: AuthorizeDeps, { route, identification, address }: GatewayLocals): Caller {
  if (identification.kind === 'failed') throw identification.error;
  if (identification.kind === 'verified' && (identification.caller.type === 'account') === (route.auth === 'account'))
    return identification.caller;
  if (isCredentialRefused(identification)) deps.refusedCredentials.record(address);
  const reason = reasonOf(identification);
  deps.measurement.credentialRefused(reason === 'missing' ? 'missing' : 'invalid');
  throw refusalOf(reason, route);
}

function reasonOf(identification: Identification): RefusalReason {
  return identification.kind === 'refused' ? identification.reason : 'unknown';
}

function refusalOf(reason: RefusalReason, { auth }: RouteDeclaration): AppError {
  if (auth !== 'account') return unauthorized(reason);
  const message = reason === 'expired' ? 'The token has expired: log in again.' : tokenNeeded;
  return new AppError('UNAUTHORIZED', {}, { message });
}

function requireScope({ measurement }: AuthorizeDeps, { caller, route }: GatewayLocals): void {
  if (isAllowed(caller, route)) return;
  measurement.credentialRefused('scope');
  throw new AppError('INSUFFICIENT_SCOPE', { requiredScope: route.auth });
}

function isAllowed({ type, scopes }: Caller, { auth }: RouteDeclaration): boolean {
  if (auth === 'public' || auth === 'any' || auth === 'account') return true;
  return auth === 'master' ? type === 'master' : scopes.includes(auth);
}
