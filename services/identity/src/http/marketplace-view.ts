import type { MarketplaceView } from '@holdfast/contracts/http';
import type { Marketplace } from '../domain/marketplace.js';

export function viewOfMarketplace({ version: _, clockOffsetSeconds: __, ...shown }: Marketplace): MarketplaceView {
  return shown;
}
