import type { Context } from '@holdfast/kernel/context';
import type { UserId } from '@holdfast/kernel/ids';
import type { UserLookup } from './ports.js';

/** Looks for the user in the caller's marketplace. */
export function userLookup({ caller, requestId }: Pick<Context, 'caller' | 'requestId'>, userId: UserId): UserLookup {
  return { marketplaceId: caller.marketplaceId, userId, requestId };
}
