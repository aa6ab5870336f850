import type { Caller } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { defaultMarketplaceId, isId } from '@holdfast/kernel/ids';
import type { Identity } from '../identity.js';
import type { GatewayMiddleware } from '../locals.js';

export type MarketplaceDeps = { readonly identity: Pick<Identity, 'requireMarketplace'> };

/** The master key acts for the marketplace in X-Marketplace-ID: 404 if it does not exist. Any other credential gets 403. */
export function actForMarketplace({ identity }: MarketplaceDeps): GatewayMiddleware {
  return async (request, response, next) => {
    const { caller, requestId } = response.locals;
    const id = request.get('X-Marketplace-ID');
    if (id !== undefined && caller.type !== 'anonymous') {
      response.locals.caller = await callerActingFor(identity, caller, { id, requestId });
    }
    next();
  };
}

type RequestedMarketplace = { readonly id: string; readonly requestId: string };

async function callerActingFor(
  identity: MarketplaceDeps['identity'],
  caller: Caller,
  { id, requestId }: RequestedMarketplace,
): Promise<Caller> {
  if (caller.type !== 'master') throw new AppError('INSUFFICIENT_SCOPE', { requiredScope: 'master' });
  if (id === defaultMarketplaceId) return caller;
  if (!isId(id, 'mkt')) throw new AppError('MARKETPLACE_NOT_FOUND');
  return { ...caller, marketplaceId: await identity.requireMarketplace(id, requestId) };
}
