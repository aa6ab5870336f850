import type { Caller } from '@holdfast/kernel/context';
import type { RouteDeclaration } from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import type { GatewayMiddleware } from '../locals.js';
import type { GatewayMeasurement } from '../metrics.js';

export type RequireScopeDeps = { readonly measurement: Pick<GatewayMeasurement, 'credentialRefused'> };

/** 403 INSUFFICIENT_SCOPE unless the caller has the scope that the route declares. */
export function requireScope({ measurement }: RequireScopeDeps): GatewayMiddleware {
  return (_request, response, next) => {
    const { caller, route } = response.locals;
    if (!isAllowed(caller, route)) {
      measurement.credentialRefused('scope');
      throw new AppError('INSUFFICIENT_SCOPE', { requiredScope: route.auth });
    }
    next();
  };
}

function isAllowed({ type, scopes }: Caller, { auth }: RouteDeclaration): boolean {
  if (auth === 'public' || auth === 'any' || auth === 'account') return true;
  return auth === 'master' ? type === 'master' : scopes.includes(auth);
}
