import type { Caller } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { defaultMarketplaceId, isId } from '@holdfast/kernel/ids';
import type { Identity } from '../identity.js';
import type { GatewayMiddleware } from '../locals.js';

export type MarketplaceDeps = { readonly identity: Pick<Identity, 'requireMarketplace'> };

/** With X-Marketplace-ID the master key acts for that marketplace: 404 where there is none, 403 for any other credential. */
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

type Wanted = { readonly id: string; readonly requestId: string };

async function callerActingFor(
  identity: MarketplaceDeps['identity'],
  caller: Caller,
  { id, requestId }: Wanted,
): Promise<Caller> {
  if (caller.type !== 'master') throw new AppError('INSUFFICIENT_SCOPE', { requiredScope: 'master' });
  if (id === defaultMarketplaceId) return caller;
  if (!isId(id, 'mkt')) throw new AppError('MARKETPLACE_NOT_FOUND');
  return { ...caller, marketplaceId: await identity.requireMarketplace(id, requestId) };
}
