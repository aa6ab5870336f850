import type { Caller } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { defaultMarketplaceId, isId } from '@holdfast/kernel/ids';
import type { Identity } from './identity.js';

export type MarketplaceDeps = { readonly identity: Pick<Identity, 'requireMarketplace'> };

/** The marketplace that a request names in X-Marketplace-ID. */
type RequestedMarketplace = { readonly id: string; readonly requestId: string };

/** The master key acts for the marketplace: 404 if it does not exist. Any other credential gets 403. */
export async function actForMarketplace(
  { identity }: MarketplaceDeps,
  caller: Caller,
  { id, requestId }: RequestedMarketplace,
): Promise<Caller> {
  if (caller.type !== 'master') throw new AppError('INSUFFICIENT_SCOPE', { requiredScope: 'master' });
  if (id === defaultMarketplaceId) return caller;
  if (!isId(id, 'mkt')) throw new AppError('MARKETPLACE_NOT_FOUND');
  return { ...caller, marketplaceId: await identity.requireMarketplace(id, requestId) };
}
