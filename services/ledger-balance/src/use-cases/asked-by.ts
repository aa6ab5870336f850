import type { Context } from '@holdfast/shared/context';
import type { UserId } from '@holdfast/shared/ids';
import type { AskedAbout } from './ports.js';

/** Somebody of the caller's marketplace. */
export function askedBy({ caller, requestId }: Pick<Context, 'caller' | 'requestId'>, userId: UserId): AskedAbout {
  return { marketplaceId: caller.marketplaceId, userId, requestId };
}
