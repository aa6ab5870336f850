import { AppError } from '@holdfast/shared/errors';
import type { UserId } from '@holdfast/shared/ids';
import type { AskedAbout, Deps } from './ports.js';

/**
 * Somebody the ledger has not heard of may be a moment old, and the news of it still under way. Identity is asked, and what
 * it answers is kept as if it had been heard; nothing is kept of those it does not know either.
 */
export async function meetUser(deps: Deps, asked: AskedAbout): Promise<boolean> {
  const user = await deps.users.ask(asked);
  if (user === undefined) return false;
  await deps.users.keep(user);
  return true;
}

/** USER_NOT_FOUND where the marketplace has no such user. */
export async function demandUser(deps: Deps, asked: AskedAbout): Promise<void> {
  const isThere = (await deps.users.isKnown(asked.marketplaceId, asked.userId)) || (await meetUser(deps, asked));
  if (!isThere) throw new AppError('USER_NOT_FOUND', { userId: asked.userId });
}

/** Somebody of the caller's marketplace. */
export function askedBy(
  { caller, requestId }: { readonly caller: Pick<AskedAbout, 'marketplaceId'>; readonly requestId: string },
  userId: UserId,
): AskedAbout {
  return { marketplaceId: caller.marketplaceId, userId, requestId };
}
