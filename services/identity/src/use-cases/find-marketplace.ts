import { AppError } from '@holdfast/kernel/errors';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { Marketplace } from '../domain/marketplace.js';
import type { Deps } from './ports.js';

export async function findMarketplace(deps: Deps, marketplaceId: MarketplaceId): Promise<Marketplace> {
  const marketplace = await deps.marketplaces.find(marketplaceId);
  if (marketplace === undefined) throw new AppError('MARKETPLACE_NOT_FOUND', { marketplaceId });
  return marketplace;
}
