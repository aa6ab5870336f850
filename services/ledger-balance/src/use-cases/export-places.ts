import { AppError } from '@holdfast/kernel/errors';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { Deps } from './ports.js';

type Limits = { readonly totalMax: number; readonly perMarketplaceMax: number };

const retryAfter = 10;

/**
 * Limits the files that are sent at a time. A client may read slowly, so waiting for a place makes no sense, and one marketplace cannot take
 * all of them.
 */
export function exportPlaces({ totalMax, perMarketplaceMax }: Limits): Deps['takeExportPlace'] {
  const takenBy = new Map<MarketplaceId, number>();
  let taken = 0;
  const change = (marketplaceId: MarketplaceId, by: 1 | -1): void => {
    const count = (takenBy.get(marketplaceId) ?? 0) + by;
    if (count === 0) takenBy.delete(marketplaceId);
    else takenBy.set(marketplaceId, count);
    taken += by;
  };
  return (marketplaceId) => {
    if ((takenBy.get(marketplaceId) ?? 0) >= perMarketplaceMax) {
      throw new AppError('RATE_LIMITED', { limit: perMarketplaceMax, counted: 'statements sent as files at a time', retryAfter });
    }
    if (taken >= totalMax) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: retryAfter });
    change(marketplaceId, 1);
    return () => change(marketplaceId, -1);
  };
}
